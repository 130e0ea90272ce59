#include "server/cli/model_command.h"

#include "model/inference/inference.h"

namespace tenon::server {

int RunModelInfo(const Session& session) {
  const auto info = model::ReadModelInfo(session.options().model);
  if (!info) return session.Fail(info.error().message);
  if (session.json()) {
    session.PrintJson({{"path", info->path},
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
    session.Print(model::DescribeModel(*info));
  }
  return info->runs ? kDone : kFailed;
}

}  // namespace tenon::server
