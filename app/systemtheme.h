// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDBusConnection>
#include <QObject>

class QDBusVariant;

namespace instar {

/// Whether the desktop asks for dark windows: what its portal says (org.freedesktop.appearance),
/// and until it has answered, or where there is none, the lightness of the platform's own palette.
class SystemTheme : public QObject
{
    Q_OBJECT
public:
    explicit SystemTheme(
        QDBusConnection bus = QDBusConnection::sessionBus(), QObject *parent = nullptr);

    bool isDark() const { return m_dark; }

signals:
    void changed();

private slots:
    void follow(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void ask();
    void take(uint scheme);

    QDBusConnection m_bus;
    bool m_dark = false;
};

} // namespace instar
