// SPDX-License-Identifier: Apache-2.0
#include "app/systemtheme.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QPalette>

#include <tuple>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const QString Service = u"org.freedesktop.portal.Desktop"_s;
const QString Path = u"/org/freedesktop/portal/desktop"_s;
const QString Interface = u"org.freedesktop.portal.Settings"_s;
const QString Appearance = u"org.freedesktop.appearance"_s;
const QString Desktop = u"org.gnome.desktop.interface"_s;
const QString SchemeKey = u"color-scheme"_s, ContrastKey = u"contrast"_s;
const QString StillKey = u"reduced-motion"_s, AnimationsKey = u"enable-animations"_s;

/// Unwraps nested variants: portals wrap the answer of Read twice.
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
        SLOT(setPreference(QString, QString, QDBusVariant)));
    for (const QString &key : { SchemeKey, ContrastKey, StillKey })
        request(Appearance, key);
    request(Desktop, AnimationsKey);
}

void SystemTheme::request(const QString &group, const QString &key)
{
    QDBusMessage call = QDBusMessage::createMethodCall(Service, Path, Interface, u"Read"_s);
    call << group << key;
    auto *waiting = new QDBusPendingCallWatcher(m_bus.asyncCall(call), this);
    connect(waiting, &QDBusPendingCallWatcher::finished, this, [this, waiting, group, key] {
        const QDBusPendingReply<QDBusVariant> answer = *waiting;
        if (answer.isValid())
            setPreference(group, key, answer.value());
        waiting->deleteLater();
    });
}

void SystemTheme::setPreference(
    const QString &group, const QString &key, const QDBusVariant &wrapped)
{
    const QVariant value = unwrapped(wrapped.variant());
    bool dark = m_dark, contrast = m_contrast, still = m_still;
    // color-scheme: 0 no preference, 1 dark, 2 light.
    if (group == Appearance && key == SchemeKey && value.toUInt() != 0)
        dark = value.toUInt() == 1;
    else if (group == Appearance && key == ContrastKey)
        contrast = value.toUInt() == 1;
    else if (group == Appearance && key == StillKey)
        still = value.toUInt() == 1;
    else if (group == Desktop && key == AnimationsKey)
        still = !value.toBool();
    if (std::tie(dark, contrast, still) == std::tie(m_dark, m_contrast, m_still))
        return;
    std::tie(m_dark, m_contrast, m_still) = std::tie(dark, contrast, still);
    emit changed();
}

} // namespace instar
