// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/misbehaviour.h"
#include "views/drawing/theme.h"

#include <QWidget>

class QLabel;
class QMenu;
class QToolButton;

namespace instar {

/// Where other clients reach this world, for as long as they do, and which rules it breaks for
/// them; hidden otherwise.
class ServingStrip : public QWidget
{
    Q_OBJECT
public:
    explicit ServingStrip(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Empty: nobody is served. `token` is what requests below /_instar/ have to show.
    void setUrl(const QString &url, const QString &token = {});
    const QString &url() const { return m_url; }

signals:
    void stopAsked();
    /// The next operation that gives a chance to is to break a rule, so named.
    void faultAsked(const QString &name);

private:
    QMenu *faultMenu();

    QString m_url, m_token;
    QToolButton *m_copyToken = nullptr;
    QLabel *m_icon, *m_text;
};

} // namespace instar
