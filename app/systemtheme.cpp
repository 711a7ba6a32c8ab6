// SPDX-License-Identifier: Apache-2.0
#include "app/systemtheme.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QPalette>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString Service = u"org.freedesktop.portal.Desktop"_s;
const QString Path = u"/org/freedesktop/portal/desktop"_s;
const QString Interface = u"org.freedesktop.portal.Settings"_s;
const QString Group = u"org.freedesktop.appearance"_s;
const QString PortalKey = u"color-scheme"_s;

/// Portals wrap the answer of Read in a second variant.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

SystemTheme::SystemTheme(QDBusConnection bus, QObject *parent)
    : QObject(parent), m_bus(std::move(bus))
{
    const QPalette palette = QGuiApplication::palette();
    m_dark = palette.color(QPalette::Window).lightness()
        < palette.color(QPalette::WindowText).lightness();
    if (!m_bus.isConnected())
        return;
    m_bus.connect(Service, Path, Interface, u"SettingChanged"_s, this,
        SLOT(follow(QString, QString, QDBusVariant)));
    ask();
}

void SystemTheme::ask()
{
    QDBusMessage question = QDBusMessage::createMethodCall(Service, Path, Interface, u"Read"_s);
    question << Group << PortalKey;
    auto *waiting = new QDBusPendingCallWatcher(m_bus.asyncCall(question), this);
    connect(waiting, &QDBusPendingCallWatcher::finished, this, [this, waiting] {
        const QDBusPendingReply<QDBusVariant> answer = *waiting;
        if (answer.isValid())
            take(unwrapped(answer.value().variant()).toUInt());
        waiting->deleteLater();
    });
}

void SystemTheme::follow(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group == Group && key == PortalKey)
        take(unwrapped(value.variant()).toUInt());
}

void SystemTheme::take(uint scheme)
{
    // 0: no preference, 1: dark, 2: light.
    const bool dark = scheme == 1;
    if (dark == m_dark || scheme == 0)
        return;
    m_dark = dark;
    emit changed();
}

} // namespace instar
