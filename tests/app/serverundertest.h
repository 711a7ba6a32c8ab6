// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/network.h"
#include "tests/app/windowundertest.h"
#include "tests/remote/reference.h"
#include "tests/support/staging.h"
#include "views/panels/networkpanel.h"
#include "views/panels/notice.h"

namespace instar {

/// The real window, connected to a server of the network controller.
struct ServerUnderTest : WindowUnderTest
{
    std::unique_ptr<Reference> m_reference;

    void serve(const QList<ResourceSpec> &resources)
    {
        start();
        m_reference = std::make_unique<Reference>(u"network-controller"_s, resources,
            Server::Options { .http = { .retryAfter = 0 }, .speed = 20 });
    }
    void close()
    {
        WindowUnderTest::close();
        m_reference.reset();
    }

    Result<MainWindow *> connectTo(const QString &origin)
    {
        return m_program->connectTo({ .url = origin, .pack = u"network-controller"_s });
    }
    /// Until all that is there is shown; only reads are sent.
    bool watches()
    {
        const Result<MainWindow *> window = connectTo(m_reference->origin());
        m_window = window ? *window : nullptr;
        return m_window && QTest::qWaitFor([this] {
            return m_window->controller().world().tree.size()
                == m_reference->simulator().world().tree.size();
        });
    }
    /// Sends anything, to the subnet at first.
    bool writes()
    {
        if (!watches())
            return false;
        m_window->network().setReadOnly(false);
        m_window->select(subnet);
        return true;
    }

    const PersistentList<Operation> &operations()
    {
        return m_window->controller().operations().all();
    }
    /// Serves the window's own world, as its dialog proposes; the URL.
    QString serve(MainWindow &window)
    {
        window.network().serve();
        return window.network().serving()->url();
    }
    NetworkState::Kind state() { return m_window->network().panel()->state().kind; }
    QString verdict() { return m_window->fireBar().verdictText(); }
    QString stateOf(const QString &path)
    {
        return shownAt(m_window->controller().rules(), m_window->controller().world(), path);
    }
};

} // namespace instar
