// A precompiled header is made by a target, and a target has a source.
