// What the CUDA samples' header of this name declares.
#pragma once

class StopWatchInterface;
bool sdkCreateTimer(StopWatchInterface** timer);
bool sdkStartTimer(StopWatchInterface** timer);
bool sdkStopTimer(StopWatchInterface** timer);
float sdkGetAverageTimerValue(StopWatchInterface** timer);
