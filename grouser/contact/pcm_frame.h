#pragma once

namespace grouser {

/// In whose frame the surfaces of a PCM contact are compared.
enum class PcmFrame { automatic, base, target };

}  // namespace grouser
