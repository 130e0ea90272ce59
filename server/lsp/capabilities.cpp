#include "server/lsp/capabilities.h"

#include <utility>

#include "protocol/position_encoding.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr const char* kList = "textDocument/completion";
constexpr const char* kInline = "textDocument/inlineCompletion";
constexpr const char* kConfiguration = "workspace/didChangeConfiguration";

json ListOptions(const ClientProfile& client) {
  return {{"triggerCharacters", {".", "(", "[", "{", "=", ","}},
          {"resolveProvider", client.resolves_documentation}};
}

json Registration(const char* method, json options) {
  return {{"id", std::string("tenon/") + method}, {"method", method}, {"registerOptions", options}};
}

json AllDocuments() { return {{{"pattern", "**"}}}; }

json Selector(const std::vector<std::string>& languages) {
  json selector = json::array();
  for (const std::string& language : languages) selector.push_back({{"language", language}});
  return selector;
}

}  // namespace

json StaticCapabilities(const ClientProfile& client, const std::vector<std::string>& languages) {
  json capabilities = {
      {"positionEncoding", protocol::ToString(client.encoding)},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}}},  // Incremental
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
  if (client.executes_commands)
    capabilities["executeCommandProvider"] = {{"commands", {kAcceptedCommand}}};
  if (client.notebooks) {
    capabilities["notebookDocumentSync"] = {
        {"notebookSelector", {{{"notebook", "*"}, {"cells", Selector(languages)}}}}};
  }
  if (!client.registers_list) capabilities["completionProvider"] = ListOptions(client);
  if (!client.registers_inline) capabilities["inlineCompletionProvider"] = true;
  return capabilities;
}

DynamicCapabilities::DynamicCapabilities(ClientRequests& requests, const ClientProfile& client,
                                         std::function<std::vector<std::string>()> languages)
    : requests_(requests), client_(client), languages_(std::move(languages)) {}

void DynamicCapabilities::Start(const Switches& on) {
  started_ = true;
  if (client_.registers_configuration)
    Register(json::array({Registration(kConfiguration, {{"section", "tenon"}})}));
  Switch(on);
}

void DynamicCapabilities::Switch(const Switches& on) {
  if (!started_ || (!client_.registers_list && !client_.registers_inline)) return;
  json added = json::array();
  json removed = json::array();
  const bool other_documents = on.any_language != registered_.any_language;
  const auto change = [&](bool wanted, bool& is, const char* method, json options) {
    if (is && (!wanted || other_documents))
      removed.push_back({{"id", std::string("tenon/") + method}, {"method", method}});
    if (wanted && (!is || other_documents))
      added.push_back(Registration(method, std::move(options)));
    is = wanted;
  };
  const json selector = on.any_language ? AllDocuments() : Selector(languages_());
  json list_options = ListOptions(client_);
  list_options["documentSelector"] = selector;
  change(on.list && client_.registers_list, registered_.list, kList, std::move(list_options));
  change(on.inline_completion && client_.registers_inline, registered_.inline_completion, kInline,
         {{"documentSelector", selector}});
  registered_.any_language = on.any_language;
  // "unregisterations" is how the protocol spells it.
  if (!removed.empty())
    requests_.Send("client/unregisterCapability", {{"unregisterations", removed}},
                   [](const protocol::Response&) {});
  if (!added.empty()) Register(added);
}

void DynamicCapabilities::Register(const json& registrations) {
  requests_.Send("client/registerCapability", {{"registrations", registrations}},
                 [](const protocol::Response&) {});
}

}  // namespace tenon::server
