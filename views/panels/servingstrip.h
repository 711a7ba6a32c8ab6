// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/misbehaviour.h"
#include "views/drawing/theme.h"

#include <QWidget>

class QLabel;
class QMenu;

namespace instar {

/// Where other clients reach this world, for as long as they do, and which rules it breaks for
/// them; hidden otherwise.
class ServingStrip : public QWidget
{
    Q_OBJECT
public:
    explicit ServingStrip(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Empty: nobody is served.
    void setUrl(const QString &url);
    const QString &url() const { return m_url; }

signals:
    void stopAsked();
    /// The next operation that gives a chance to is to break a rule, so named.
    void faultAsked(const QString &name);

private:
    QMenu *faultMenu();

    QString m_url;
    QLabel *m_icon, *m_text;
};

} // namespace instar
