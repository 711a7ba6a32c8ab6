// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/panels/networkstate.h"
#include "views/panels/notice.h"

#include <QTimer>

class QPushButton;

namespace instar {

/// What is wrong with the connection to a server, and a button to try again; hidden as long as all
/// is well.
class ConnectionStrip : public Notice
{
    Q_OBJECT
public:
    explicit ConnectionStrip(QWidget *parent = nullptr);

    void setState(const NetworkState &state);

signals:
    void retryAsked();

private:
    void refresh();

    NetworkState m_state;
    QPushButton *m_retry;
    QTimer m_clock; ///< counts down to the next attempt
};

} // namespace instar
