#include "model/inference/loadable_module.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace tenon::model {
namespace {

TEST(LoadableModule, HasTheFunctionsOfTheLibrary) {
  const LoadableModule module("libtenon_torch.so");
  EXPECT_EQ(module.fault(), "");
  EXPECT_NE(module.Find<bool()>("tenon_torch_has_gpu"), nullptr);
  EXPECT_EQ(module.Find<void()>("tenon_no_such_function"), nullptr);
}

TEST(LoadableModule, SaysWhyALibraryIsMissing) {
  const LoadableModule module("libtenon_no_such_module.so");
  EXPECT_EQ(module.Find<bool()>("tenon_torch_has_gpu"), nullptr);
  EXPECT_TRUE(module.fault().starts_with("libtenon_no_such_module.so cannot be loaded: "))
      << module.fault();
  EXPECT_TRUE(module.fault().ends_with("; build or install tenon again")) << module.fault();
}

}  // namespace
}  // namespace tenon::model
