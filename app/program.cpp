// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include "app/mainwindow.h"
#include "model/formats/library.h"
#include "views/look.h"

#include <QApplication>
#include <QMessageBox>
#include <QStyleFactory>

using namespace Qt::StringLiterals;

namespace instar {

Program::Program(QObject *parent) : QObject(parent)
{
    // Before a palette of ours is set, the platform's tells what the system wants.
    const QPalette system = QApplication::palette();
    m_systemIsDark =
        system.color(QPalette::Window).lightness() < system.color(QPalette::WindowText).lightness();
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    setTheme(m_settings.theme());
}

void Program::setTheme(ThemeChoice choice)
{
    m_choice = choice;
    const bool dark =
        choice == ThemeChoice::Dark || (choice == ThemeChoice::System && m_systemIsDark);
    m_theme = dark ? Theme::dark() : Theme::light();
    QApplication::setPalette(m_theme.palette());
    qApp->setStyleSheet(styleSheet(m_theme));
    emit themeChanged();
}

MainWindow *Program::open(const QString &source, MainWindow *asker, const Switches &switches)
{
    Result<Opened> content = opened(source, switches);
    if (!content) {
        QMessageBox box(
            QMessageBox::Warning, tr("Cannot open"), content.error(), QMessageBox::Ok, asker);
        box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        box.exec();
        return nullptr;
    }
    const bool isFile = !builtInPacks().contains(source) && !source.startsWith(u':');
    if (isFile)
        m_settings.addRecentFile(source);

    auto *window = new MainWindow(*this, *std::move(content));
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
