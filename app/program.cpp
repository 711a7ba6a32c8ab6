// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include "app/mainwindow.h"
#include "model/formats/library.h"
#include "views/look.h"

#include <QApplication>
#include <QMessageBox>
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
