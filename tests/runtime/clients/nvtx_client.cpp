// Ranges of every kind through the real, header-only NVTX v3.
#include <nvtx3/nvToolsExt.h>

#include <string>

#include "tests/runtime/clients/driver.h"

int main() {
  const client::Driver cu = client::open_driver(client::Way::kProcAddress);
  CHECK_CU(cu.cuInit(0));
  nvtxRangePushA("outer");
  nvtxRangePushW(L"inner");
  CHECK_CU(cu.cuCtxSynchronize());
  nvtxRangePop();
  nvtxRangePop();
  std::printf("xla %d\n", nvtxDomainCreateA("TSL") == nullptr ? 0 : 1);
  nvtxDomainHandle_t domain = nvtxDomainCreateA("training");
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringA(domain, "registered");
  attributes.color = 0xff00ff00;
  nvtxDomainRangePushEx(domain, &attributes);
  // Each domain nests its ranges apart from the others'.
  nvtxRangePushA("across");
  nvtxDomainRangePop(domain);
  nvtxRangePop();
  // Unlike a name of the program's own, a library's hides nothing.
  for (int call = 0; call < 100; ++call) {
    nvtxDomainRangePushEx(domain, &attributes);
    nvtxDomainRangePop(domain);
  }
  const nvtxRangeId_t id = nvtxRangeStartA("started");
  nvtxRangeEnd(id);
  // Steps under a name that is the loop's alone, each with a name of its own around: what is nested is of no use.
  nvtxRangePushA("run");
  for (int step = 0; step < 200; ++step) {
    nvtxRangePushA(("step " + std::to_string(step)).c_str());
    nvtxRangePushA("forward");
    nvtxRangePushA("layer");
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangePushA("backward");
    nvtxRangePop();
    nvtxRangePop();
  }
  nvtxRangePop();
  return 7;
}
