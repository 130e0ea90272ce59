#include "server/client/capabilities.h"

#include <utility>

#include "protocol/position_encoding.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr const char* kList = "textDocument/completion";
constexpr const char* kInline = "textDocument/inlineCompletion";
constexpr const char* kNotebooks = "notebookDocument/sync";
constexpr const char* kConfiguration = "workspace/didChangeConfiguration";

json ListOptions(const ClientProfile& client) {
  return {{"triggerCharacters", {".", "(", "[", "{", "=", ","}},
          {"resolveProvider", client.resolves_documentation}};
}

std::string IdOf(const char* method) { return std::string("tenon/") + method; }

json Registration(const char* method, json options) {
  return {{"id", IdOf(method)}, {"method", method}, {"registerOptions", options}};
}

json Unregistration(const char* method) { return {{"id", IdOf(method)}, {"method", method}}; }

json AllDocuments() { return {{{"pattern", "**"}}}; }

json Selector(const std::vector<std::string>& languages) {
  json selector = json::array();
  for (const std::string& language : languages) selector.push_back({{"language", language}});
  return selector;
}

json NotebookOptions(const std::vector<std::string>& languages, bool any_language) {
  json selector = {{"notebook", "*"}};
  if (!any_language) selector["cells"] = Selector(languages);
  return {{"notebookSelector", json::array({std::move(selector)})}};
}

}  // namespace

Capabilities::Capabilities(ClientRequests& requests, const ClientProfile& client,
                           std::function<std::vector<std::string>()> languages)
    : requests_(requests), client_(client), languages_(std::move(languages)) {}

json Capabilities::Static(bool any_language) {
  json capabilities = {
      {"positionEncoding", protocol::ToString(client_.encoding)},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}}},  // Incremental
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
      {"experimental", {{"tenon", {{"cursor", true}}}}}};  // tenon/didMoveCursor
  if (client_.executes_commands)
    capabilities["executeCommandProvider"] = {{"commands", {kAcceptedCommand}}};
  if (client_.notebooks) {
    json& notebooks = capabilities["notebookDocumentSync"];
    notebooks = NotebookOptions(languages_(), any_language);
    if (client_.registers_notebooks) notebooks["id"] = IdOf(kNotebooks);
    all_cells_ = any_language;
  }
  if (!client_.registers_list) capabilities["completionProvider"] = ListOptions(client_);
  if (!client_.registers_inline) capabilities["inlineCompletionProvider"] = true;
  return capabilities;
}

void Capabilities::Start(const Switches& on) {
  started_ = true;
  if (client_.registers_configuration)
    Register(json::array({Registration(kConfiguration, {{"section", "tenon"}})}));
  Switch(on);
}

void Capabilities::Switch(const Switches& on) {
  const bool registers =
      client_.registers_list || client_.registers_inline || client_.registers_notebooks;
  if (!started_ || !registers) return;
  json added = json::array();
  json removed = json::array();
  const bool other_documents = on.any_language != registered_.any_language;
  const auto change = [&](bool wanted, bool& is, const char* method, json options) {
    if (is && (!wanted || other_documents)) removed.push_back(Unregistration(method));
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
  if (client_.registers_notebooks && on.any_language != all_cells_) {
    removed.push_back(Unregistration(kNotebooks));
    added.push_back(Registration(kNotebooks, NotebookOptions(languages_(), on.any_language)));
    all_cells_ = on.any_language;
  }
  registered_.any_language = on.any_language;
  // "unregisterations" is how the protocol spells it.
  if (!removed.empty())
    requests_.Send("client/unregisterCapability", {{"unregisterations", removed}},
                   [](const protocol::Response&) {});
  if (!added.empty()) Register(added);
}

void Capabilities::Register(const json& registrations) {
  requests_.Send("client/registerCapability", {{"registrations", registrations}},
                 [](const protocol::Response&) {});
}

}  // namespace tenon::server
