// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDBusConnection>
#include <QObject>

class QDBusVariant;

namespace instar {

/// What the desktop asks for: dark windows, more contrast, no animations. Its portal says so
/// (org.freedesktop.appearance, and org.gnome.desktop.interface where there is that); until it has
/// answered, or where there is none, the lightness of the platform's own palette decides.
class SystemTheme : public QObject
{
    Q_OBJECT
public:
    explicit SystemTheme(
        QDBusConnection bus = QDBusConnection::sessionBus(), QObject *parent = nullptr);

    bool isDark() const { return m_dark; }
    /// More contrast is asked for than usual.
    bool isContrast() const { return m_contrast; }
    /// Nothing should move that need not.
    bool isStill() const { return m_still; }

signals:
    void changed();

private slots:
    void follow(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void ask(const QString &group, const QString &key);
    void take(const QString &group, const QString &key, const QVariant &value);

    QDBusConnection m_bus;
    bool m_dark = false, m_contrast = false, m_still = false;
};

} // namespace instar
