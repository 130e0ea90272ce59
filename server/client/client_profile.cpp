#include "server/client/client_profile.h"

#include <string>

#include "protocol/lsp_types.h"
#include "protocol/position_encoding.h"

namespace tenon::server {
namespace {

using nlohmann::json;

bool Contains(const json& params, std::string_view path, const json& wanted) {
  const json* values = protocol::FindPath(params, path);
  if (values == nullptr || !values->is_array()) return false;
  for (const json& value : *values) {
    if (value == wanted) return true;
  }
  return false;
}

protocol::PositionEncoding ChooseEncoding(const json& params) {
  const json* offered = protocol::FindPath(params, "capabilities/general/positionEncodings");
  if (offered != nullptr && offered->is_array()) {
    for (const json& name : *offered) {
      if (!name.is_string()) continue;
      if (const auto encoding = protocol::PositionEncodingFromName(name.get<std::string>()))
        return *encoding;
    }
  }
  return protocol::PositionEncoding::kUtf16;
}

}  // namespace

ClientProfile ReadClientProfile(const json& params) {
  ClientProfile profile;
  profile.encoding = ChooseEncoding(params);
  profile.work_done_progress = protocol::IsTrue(params, "capabilities/window/workDoneProgress");
  const std::string item = "capabilities/textDocument/completion/completionItem/";
  profile.insert_text_mode_as_is = Contains(params, item + "insertTextModeSupport/valueSet", 1);
  profile.markdown = Contains(params, item + "documentationFormat", "markdown");

  profile.label_details = protocol::IsTrue(params, item + "labelDetailsSupport");
  profile.resolves_documentation =
      Contains(params, item + "resolveSupport/properties", "documentation");
  const json* defaults = protocol::FindPath(
      params, "capabilities/textDocument/completion/completionList/itemDefaults");
  if (defaults != nullptr && defaults->is_array()) {
    for (const json& member : *defaults) {
      if (member.is_string()) profile.item_defaults.insert(member.get<std::string>());
    }
  }

  const std::string client = protocol::ReadString(params, "clientInfo/name").value_or("");
  const bool is_neovim = client == "Neovim";
  profile.keeps_edits_back = client == "Eglot";
  profile.multiline_items = !is_neovim;
  profile.repeat_rest_of_line =
      is_neovim &&
      protocol::FindPath(params, "capabilities/textDocument/inlineCompletion") != nullptr;

  profile.executes_commands =
      protocol::FindPath(params, "capabilities/workspace/executeCommand") != nullptr;
  profile.applies_edits = protocol::IsTrue(params, "capabilities/workspace/applyEdit");
  profile.message_actions =
      !is_neovim && protocol::FindPath(params, "capabilities/window/showMessage") != nullptr;
  for (const std::string from :
       {"capabilities/experimental/tenon/", "initializationOptions/experimental/"}) {
    profile.wants_status = profile.wants_status || protocol::IsTrue(params, from + "status");
    profile.wants_text = profile.wants_text || protocol::IsTrue(params, from + "text");
    profile.writes_inline_edits =
        profile.writes_inline_edits || protocol::IsTrue(params, from + "additionalTextEdits");
  }
  profile.notebooks =
      protocol::FindPath(params, "capabilities/notebookDocument/synchronization") != nullptr;
  profile.registers_notebooks =
      protocol::IsTrue(params, "capabilities/notebookDocument/synchronization/dynamicRegistration");
  profile.registers_list =
      protocol::IsTrue(params, "capabilities/textDocument/completion/dynamicRegistration");
  profile.registers_inline =
      protocol::IsTrue(params, "capabilities/textDocument/inlineCompletion/dynamicRegistration");
  profile.registers_configuration =
      protocol::IsTrue(params, "capabilities/workspace/didChangeConfiguration/dynamicRegistration");

  const json* process_id = protocol::Find(params, "processId");
  if (process_id != nullptr && process_id->is_number_integer())
    profile.process_id = process_id->get<int64_t>();
  return profile;
}

}  // namespace tenon::server
