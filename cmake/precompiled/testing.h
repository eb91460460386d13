// What most tests include, precompiled (see syncsniff_precompiled in SyncsniffTargets.cmake).
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cmake/precompiled/standard.h"
