#include "server/cli/model_command.h"

#include "model/inference/inference.h"

namespace tenon::server {

int RunModelInfo(const Invocation& invocation) {
  const auto info = model::ReadModelInfo(invocation.options().model);
  if (!info) return invocation.Fail(info.error().message);
  if (invocation.json()) {
    invocation.PrintJson({{"path", info->path},
                          {"name", info->name},
                          {"architecture", info->architecture},
                          {"license", info->license},
                          {"file_bytes", info->file_bytes},
                          {"parameters", info->parameters},
                          {"tensor_types", info->tensor_types},
                          {"layers", info->layers},
                          {"width", info->width},
                          {"context_tokens", info->context_tokens},
                          {"vocabulary", info->vocabulary},
                          {"tokenizer", info->tokenizer},
                          {"fim_format", info->fim_format},
                          {"fim_trained", info->fim_trained},
                          {"runs", info->runs},
                          {"why_not", info->why_not}});
  } else {
    invocation.Print(model::DescribeModel(*info));
  }
  return info->runs ? kExitDone : kExitFailed;
}

}  // namespace tenon::server
