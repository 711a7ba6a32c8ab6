// SPDX-License-Identifier: Apache-2.0
// What the desktop's portal says, over a private message bus.

#include "app/systemtheme.h"
#include "tests/support/testclass.h"

#include <QApplication>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QDBusVirtualObject>
#include <QGuiApplication>
#include <QPalette>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace instar;

namespace {

const QString Path = u"/org/freedesktop/portal/desktop"_s;
const QString Group = u"org.freedesktop.appearance"_s;
const QString Desktop = u"org.gnome.desktop.interface"_s;

/// Answers Settings.Read as desktops do: a variant in a variant.
class Portal : public QDBusVirtualObject
{
public:
    uint scheme = 0, contrast = 0;
    bool animates = true;

    QString introspect(const QString &) const override { return {}; }
    bool handleMessage(const QDBusMessage &message, const QDBusConnection &bus) override
    {
        const QVariantList asked = message.arguments();
        QVariant value;
        if (asked == QVariantList { Group, u"color-scheme"_s })
            value = scheme;
        else if (asked == QVariantList { Group, u"contrast"_s })
            value = contrast;
        else if (asked == QVariantList { Desktop, u"enable-animations"_s })
            value = animates;
        if (message.member() != u"Read" || !value.isValid())
            return false;
        const QVariant inner = QVariant::fromValue(QDBusVariant(value));
        return bus.send(message.createReply(QVariant::fromValue(QDBusVariant(inner))));
    }
    void change(const QDBusConnection &bus, const QString &key, const QVariant &value,
        const QString &group = Group)
    {
        QDBusMessage signal = QDBusMessage::createSignal(
            Path, u"org.freedesktop.portal.Settings"_s, u"SettingChanged"_s);
        signal << group << key << QVariant::fromValue(QDBusVariant(value));
        bus.send(signal);
    }
};

class TestSystemTheme : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void nobodyAnswers();
    void follows();
    void contrastAndRest();

private:
    QDBusConnection bus(const QString &name)
    {
        return QDBusConnection::connectToBus(m_address, name);
    }

    QProcess m_daemon;
    QString m_address;
};

void TestSystemTheme::initTestCase()
{
    const QString program = QStandardPaths::findExecutable(u"dbus-daemon"_s);
    if (program.isEmpty())
        QSKIP("dbus-daemon is not installed");
    m_daemon.start(program, { u"--session"_s, u"--nofork"_s, u"--print-address"_s });
    QVERIFY(m_daemon.waitForReadyRead(10'000));
    m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
}

void TestSystemTheme::cleanupTestCase()
{
    m_daemon.terminate();
    m_daemon.waitForFinished();
}

/// A bus without a portal: the palette decides, and nothing breaks.
void TestSystemTheme::nobodyAnswers()
{
    QPalette dark;
    dark.setColor(QPalette::Window, Qt::black);
    dark.setColor(QPalette::WindowText, Qt::white);
    const QPalette before = QGuiApplication::palette();
    QGuiApplication::setPalette(dark);
    const SystemTheme theme(bus(u"alone"_s));
    QGuiApplication::setPalette(before);
    QTest::qWait(100);
    QVERIFY(theme.isDark());
}

void TestSystemTheme::follows()
{
    QDBusConnection server = bus(u"server"_s);
    QVERIFY(server.isConnected());
    Portal portal;
    portal.scheme = 1;
    QVERIFY(server.registerVirtualObject(Path, &portal));
    QVERIFY(server.registerService(u"org.freedesktop.portal.Desktop"_s));

    SystemTheme theme(bus(u"client"_s));
    QSignalSpy changed(&theme, &SystemTheme::changed);
    QVERIFY(!theme.isDark());
    QTRY_VERIFY(theme.isDark());
    QCOMPARE(changed.size(), 1);

    portal.change(server, u"accent-color"_s, 2U); // something else
    portal.change(server, u"color-scheme"_s, 2U);
    QTRY_VERIFY(!theme.isDark());
    portal.change(server, u"color-scheme"_s, 1U);
    QTRY_VERIFY(theme.isDark());
    QCOMPARE(changed.size(), 3);
    server.unregisterObject(Path);
}

void TestSystemTheme::contrastAndRest()
{
    QDBusConnection server = bus(u"server"_s);
    Portal portal;
    portal.contrast = 1;
    portal.animates = false;
    QVERIFY(server.registerVirtualObject(Path, &portal));
    QVERIFY(server.registerService(u"org.freedesktop.portal.Desktop"_s));
    SystemTheme theme(bus(u"another client"_s));
    QTRY_VERIFY(theme.isContrast());
    QTRY_VERIFY(theme.isStill());
    QVERIFY(!theme.isDark());
    portal.change(server, u"enable-animations"_s, true, Desktop);
    QTRY_VERIFY(!theme.isStill());
    portal.change(server, u"reduced-motion"_s, 1U);
    QTRY_VERIFY(theme.isStill());
    portal.change(server, u"contrast"_s, 0U);
    QTRY_VERIFY(!theme.isContrast());
    server.unregisterObject(Path);
    server.unregisterService(u"org.freedesktop.portal.Desktop"_s);
}

} // namespace

const instar::TestClass<TestSystemTheme, QApplication> registered;
#include "tst_systemtheme.moc"
