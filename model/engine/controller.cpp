// SPDX-License-Identifier: Apache-2.0
#include "model/engine/controller.h"

namespace instar {

Admission Controller::admission(const Request &request) const
{
    return instar::admission(rules(), world(), request);
}

} // namespace instar
