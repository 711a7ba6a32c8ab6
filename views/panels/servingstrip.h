// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QWidget>

class QLabel;

namespace instar {

/// Where other clients reach this world, for as long as they do; hidden otherwise.
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

private:
    QString m_url;
    QLabel *m_icon, *m_text;
};

} // namespace instar
