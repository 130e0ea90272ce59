#include "model/inference/kept_panels.h"

#include <fmt/format.h>

namespace tenon::model {

std::optional<PanelFile> FindKeptPanels(const PanelShelf& shelf, const PanelKey& key,
                                        const ReadProgress& on_progress) {
  for (const std::string& path : shelf.files) {
    auto file = PanelFile::Open(path, key);
    std::string why = file ? "" : file.error();
    if (file) {
      const std::string hash = HexOf(file->hash());
      file->ReadAhead();
      if (shelf.is_known_whole && shelf.is_known_whole(path, hash)) return *std::move(file);
      if (file->HashIsRight(on_progress)) {
        if (shelf.found_whole) shelf.found_whole(path, hash);
        return *std::move(file);
      }
      why = "is damaged";
    }
    if (!why.empty() && shelf.note)
      shelf.note(fmt::format("{}: {}; the weights are laid out anew", path, why));
  }
  return std::nullopt;
}

void KeepPanels(const PanelShelf& shelf, const PanelKey& key, const std::string& model_path,
                const std::vector<PanelStretch>& stretches) {
  std::string faults;
  for (const std::string& path : shelf.files) {
    const auto written = WritePanelFile(path, key, model_path, stretches);
    if (written) {
      if (shelf.note) {
        shelf.note(fmt::format("{}: the weights as they are laid out, {:.0f} MB, are kept here",
                               path, static_cast<double>(*written) / 1e6));
      }
      return;
    }
    const PanelWriteFault& fault = written.error();
    if (fault.code == PanelWriteFault::Code::kBusy) return;
    faults += (faults.empty() ? "" : "; ") + fault.message;
  }
  if (!faults.empty() && shelf.note)
    shelf.note(
        fmt::format("the weights as they are laid out cannot be kept ({}), so each start lays "
                    "them out anew; --no-cache does not try",
                    faults));
}

}  // namespace tenon::model
