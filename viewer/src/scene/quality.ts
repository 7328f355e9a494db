// How much the graphics can do: without a graphics card every pixel counts.

export interface GraphicsQuality {
  antialias: boolean;
  pixelRatio: number;
  shadowSize: number;
  softShadows: boolean;
}

export function graphicsQuality(): GraphicsQuality {
  if (drawsInSoftware()) return { antialias: false, pixelRatio: 1, shadowSize: 1024, softShadows: false };
  return { antialias: true, pixelRatio: Math.min(2, devicePixelRatio), shadowSize: 2048, softShadows: true };
}

function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (context === null) return false;
  const details = context.getExtension("WEBGL_debug_renderer_info");
  const name = details === null ? "" : String(context.getParameter(details.UNMASKED_RENDERER_WEBGL));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software/i.test(name);
}
