// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include "app/mainwindow.h"
#include "app/network.h"
#include "model/formats/library.h"
#include "views/look.h"
#include "views/panels/connectdialog.h"

#include <QApplication>
#include <QMessageBox>
#include <QStatusBar>
#include <QStyleFactory>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace instar {

Program::Program(QObject *parent) : QObject(parent)
{
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    setTheme(m_settings.theme());
    connect(&m_system, &SystemTheme::changed, this, [this] {
        if (m_choice == ThemeChoice::System)
            setTheme(m_choice);
    });
}

void Program::setTheme(ThemeChoice choice)
{
    m_choice = choice;
    const bool dark =
        choice == ThemeChoice::Dark || (choice == ThemeChoice::System && m_system.isDark());
    m_theme = dark ? Theme::dark() : Theme::light();
    QApplication::setPalette(m_theme.palette());
    qApp->setStyleSheet(styleSheet(m_theme));
    emit themeChanged();
}

MainWindow *Program::open(const QString &source, MainWindow *asker, const Switches &switches)
{
    Result<Opened> content = opened(source, switches);
    if (!content) {
        std::fprintf(stderr, "instar: %s\n", qPrintable(content.error()));
        QMessageBox box(
            QMessageBox::Warning, tr("Cannot open"), content.error(), QMessageBox::Ok, asker);
        box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        box.exec();
        return nullptr;
    }
    const bool isFile = !builtInPacks().contains(source) && !source.startsWith(u':');
    if (isFile)
        m_settings.addRecentFile(source);

    return show(*std::move(content), asker);
}

void Program::connectToServer(MainWindow *asker)
{
    ConnectDialog::Options options;
    for (const QString &id : builtInPacks()) {
        const Result<Pack> pack = loadPack(id);
        if (pack && !pack->wire.isEmpty())
            options.systems.append({ id, pack->title });
    }
    options.recent = m_settings.connections();
    ConnectDialog dialog(options, asker);
    if (!options.recent.isEmpty())
        dialog.setChoice(options.recent.first());
    const int code = dialog.exec();
    m_settings.setConnections(code == QDialog::Accepted ? dialog.recent() : options.recent);
    if (code != QDialog::Accepted)
        return;
    const ConnectChoice choice = dialog.choice();
    const auto open = [this, asker = QPointer(asker)](const ConnectChoice &complete) {
        const Result<MainWindow *> window = connectTo(complete, asker);
        if (!window)
            QMessageBox::warning(asker, tr("Cannot connect"), window.error());
    };
    const bool isKept = choice.keepsInKeychain
        && ((choice.credentials == CredentialsKind::Bearer && choice.token.isEmpty())
            || (choice.credentials == CredentialsKind::Basic && choice.password.isEmpty()));
    if (!isKept) {
        open(choice);
        return;
    }
    m_keychain.read(QUrl(choice.url), [open, choice](const Keychain::Found &found) {
        ConnectChoice complete = choice;
        if (found.credential)
            (choice.credentials == CredentialsKind::Bearer ? complete.token : complete.password) = found.credential->secret;
        open(complete);
    });
}

Result<MainWindow *> Program::connectTo(const ConnectChoice &choice, MainWindow *asker)
{
    if (const QString problem = serverUrlProblem(choice.url); !problem.isEmpty())
        return Error { problem };
    Result<RemoteController::Options> server = optionsOf(choice);
    if (!server)
        return Error { server.error() };
    const Result<Pack> pack = loadPack(choice.pack);
    if (!pack)
        return Error { pack.error() };
    Result<Rules> rules = Rules::make(*pack);
    if (!rules)
        return Error { rules.error() };
    const QUrl url = server->connection.server;
    const Credential credential = server->connection.credential;
    const QString title = tr("%1 — %2").arg(url.authority(), pack->title);
    World world = makeWorld(*rules, {}).world;
    MainWindow *window = show(Opened { choice.pack, title, *std::move(rules), std::move(world), {}, *std::move(server) }, asker);
    if (choice.keepsInKeychain && credential.kind != Credential::Kind::None) {
        m_keychain.write(url, credential, [window = QPointer(window)](const QString &problem) {
            if (!problem.isEmpty() && window)
                window->statusBar()->showMessage(problem, 15'000);
        });
    }
    return window;
}

MainWindow *Program::show(Opened content, MainWindow *asker)
{
    auto *window = new MainWindow(*this, std::move(content));
    window->setAttribute(Qt::WA_DeleteOnClose);
    if (asker && asker->isUntouched()) {
        window->resize(asker->size());
        window->move(asker->pos());
        window->restoreState(asker->saveState());
        window->show();
        asker->close();
    } else {
        window->show();
    }
    m_windows.removeIf([](const QPointer<MainWindow> &known) { return known.isNull(); });
    m_windows += window;
    return window;
}

} // namespace instar
