#include "grouser/report/page_template.h"

#ifdef GROUSER_REPORT_PAGE

// The assembler takes the file in as it is: a literal of a megabyte compiles for a long time.
asm(".pushsection .rodata\n"
    ".global grouser_report_page_begin, grouser_report_page_end\n"
    ".hidden grouser_report_page_begin, grouser_report_page_end\n"
    "grouser_report_page_begin:\n"
    ".incbin \"" GROUSER_REPORT_PAGE
    "\"\n"
    "grouser_report_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" const char grouser_report_page_begin[], grouser_report_page_end[];

std::string_view grouser::report::page_template() {
  return {grouser_report_page_begin, grouser_report_page_end};
}

#else

std::string_view grouser::report::page_template() {
  return {};
}

#endif
