// Ranges of every kind through the real, header-only NVTX v3.
#include <nvtx3/nvToolsExt.h>

#include "tests/runtime/clients/driver.h"

int main() {
  const client::Driver cu = client::open_driver(client::Way::kProcAddress);
  CHECK_CU(cu.cuInit(0));
  nvtxRangePushA("outer");
  nvtxRangePushW(L"inner");
  CHECK_CU(cu.cuCtxSynchronize());
  nvtxRangePop();
  nvtxRangePop();
  nvtxDomainHandle_t domain = nvtxDomainCreateA("training");
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringA(domain, "registered");
  attributes.color = 0xff00ff00;
  nvtxDomainRangePushEx(domain, &attributes);
  nvtxDomainRangePop(domain);
  const nvtxRangeId_t id = nvtxRangeStartA("started");
  nvtxRangeEnd(id);
  return 7;
}
