// Marks the classes and functions that the shared library offers; all its other names are hidden.
#pragma once

#if defined(__GNUC__)
#define TENON_API __attribute__((visibility("default")))
#else
#define TENON_API
#endif
