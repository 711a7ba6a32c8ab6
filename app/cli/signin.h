// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/cli.h"
#include "model/remote/credential.h"

namespace instar {

/// What a command that talks to a server can be told of who asks.
void addSignIn(CLI::App &app, Arguments &arguments);

/// Who asks: as the options say, where there are any; else as the environment does. Secrets are
/// never arguments, which everybody on the machine could read.
Result<Credential> credentialOf(const Arguments &arguments);

} // namespace instar
