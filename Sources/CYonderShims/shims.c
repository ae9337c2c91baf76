#include "CYonderShims.h"
