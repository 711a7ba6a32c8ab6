// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDBusConnection>
#include <QObject>

class QDBusVariant;

namespace instar {

/// The desktop's preferences: dark windows, high contrast, no animations. Reads them from the
/// portal (org.freedesktop.appearance, and org.gnome.desktop.interface if available); until it
/// answers, or without a portal, the lightness of the platform's palette decides.
class SystemTheme : public QObject
{
    Q_OBJECT
public:
    explicit SystemTheme(
        QDBusConnection bus = QDBusConnection::sessionBus(), QObject *parent = nullptr);

    bool isDark() const { return m_dark; }
    /// Returns true if the user prefers high contrast.
    bool isContrast() const { return m_contrast; }
    /// Returns true if the user prefers no animations.
    bool isStill() const { return m_still; }

signals:
    void changed();

private slots:
    void setPreference(const QString &group, const QString &key, const QDBusVariant &wrapped);

private:
    void request(const QString &group, const QString &key);

    QDBusConnection m_bus;
    bool m_dark = false, m_contrast = false, m_still = false;
};

} // namespace instar
