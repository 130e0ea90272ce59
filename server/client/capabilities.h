// The abilities that the server tells the client: at once in the answer to `initialize`, or later
// by `client/registerCapability`.
//
// A client that takes registrations of completion gets one, which is taken back while the user has
// completion switched off: it does not even ask then. For all other clients completion is on from
// the start, and an answer has nothing to offer while it is off.
//
// A registration names the languages that are completed. With the setting `anyLanguage` it names
// all documents instead; when the setting changes, it is taken back and made anew.
//
// Notebooks are synchronized from the start, whether completion is on or not: with `anyLanguage`
// all of their cells, else those in the languages that are completed. The answer to `initialize`
// says so under an id, by which a client that takes registrations is told of a changed setting.
//
// Source: LSP 3.18, "Server Capabilities", client/registerCapability, "Notebook Document
// Synchronization" (a selector without `cells` selects them all), StaticRegistrationOptions. Any
// other capability that is registered must not stand in the answer to `initialize` as well.
// Cost: a message at each switch. Thread rule: the I/O thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/client/client_profile.h"
#include "server/client/client_requests.h"

namespace tenon::server {

// The command that a client runs when an item was accepted; its argument is the item's number.
inline constexpr const char* kAcceptedCommand = "tenon.accepted";

class Capabilities {
 public:
  // `languages`: ids of those that are completed.
  Capabilities(ClientRequests& requests, const ClientProfile& client,
               std::function<std::vector<std::string>()> languages);

  // The parts that the user has switched on.
  struct Switches {
    bool list = false;
    bool inline_completion = false;
    bool any_language = false;  // in documents of languages that nobody knows, too
  };
  // The member "capabilities" of the answer to `initialize`. `any_language`: as in Switches.
  [[nodiscard]] nlohmann::json Static(bool any_language);
  // After `initialized`: registers what is on, and that the client tells of changed settings.
  void Start(const Switches& on);
  // REQUIRES: Start.
  void Switch(const Switches& on);

 private:
  void Register(const nlohmann::json& registrations);

  ClientRequests& requests_;
  const ClientProfile& client_;
  std::function<std::vector<std::string>()> languages_;
  bool started_ = false;
  Switches registered_;  // the parts with a registration now
  // Are all cells of notebooks synchronized, as the client was told last?
  bool all_cells_ = false;
};

}  // namespace tenon::server
