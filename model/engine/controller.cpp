// SPDX-License-Identifier: Apache-2.0
#include "model/engine/controller.h"

namespace instar {

Admission Controller::admission(const Request &request) const
{
    return instar::admission(rules(), world(), request);
}

const QList<Record> &Controller::later() const
{
    static const QList<Record> none;
    return none;
}

Updates &Controller::updates() const
{
    if (!m_updates)
        m_updates = new Updates(const_cast<Controller &>(*this)); // to be its child, no more
    return *m_updates;
}

} // namespace instar
