// Bytes of stack of a call of the image. The link step, which bounds what the image needs, wants each to be at least
// twice that.
#define FRAME_SMALL 32768
#define FRAME_LARGE 131072
