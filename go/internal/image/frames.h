// Bytes of stack of the calls of the image. The link step, which bounds what the image needs, wants each to be at least
// twice that.
#define FRAME_SINGLE 49152
#define FRAME_ROWS 131072
