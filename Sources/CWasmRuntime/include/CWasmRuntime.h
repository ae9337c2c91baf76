// What Embedded Swift asks of a C library, for wasm32 without one. Elsewhere it is empty.
#pragma once
