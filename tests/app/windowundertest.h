// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/editing.h"
#include "app/mainwindow.h"
#include "app/program.h"
#include "model/items/operationmodel.h"
#include "model/json/library.h"
#include "tests/support/bytesof.h"
#include "tests/views/panelsupport.h"
#include "views/diagram/statechartview.h"
#include "views/panels/firebar.h"
#include "views/panels/inspector.h"
#include "views/panels/queuepanel.h"
#include "views/timeline/timelinepanel.h"

#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <memory>

namespace instar {

using namespace Qt::StringLiterals;

inline const QString net = u"/logicalNetworks/Transit"_s;
inline const QString subnet = net + u"/subnets/Rack-1"_s;

/// Whether a widget took what was dropped on it.
inline bool drop(QWidget *on, const QMimeData &data)
{
    const QPoint at = on->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(on, &enter);
    if (!enter.isAccepted())
        return false;
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(on, &event);
    return event.isAccepted();
}

/// The real window on the first built-in system, with settings of its own.
struct WindowUnderTest
{
    QTemporaryDir m_folder;
    std::unique_ptr<Program> m_program;
    QPointer<MainWindow> m_window;

    void prepare()
    {
        QStandardPaths::setTestModeEnabled(true);
        QApplication::setOrganizationName(u"instar-test"_s);
        QApplication::setApplicationName(u"instar-test"_s);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    }

    /// Without a window.
    void start()
    {
        QFile::remove(Settings::file());
        m_program = std::make_unique<Program>();
    }

    void open()
    {
        start();
        show(builtInPacks().first());
        m_window->resize(1280, 800);
        chart().setMotion(Motion::Reduced);
        m_window->select(subnet);
    }

    /// A built-in system or a file in a window of its own, which is the one under test then.
    void show(const QString &source)
    {
        m_window = m_program->open(source);
        QVERIFY(m_window);
        QVERIFY(QTest::qWaitForWindowExposed(m_window));
    }

    /// Closes the window, and opens one as the next start does.
    void reopen()
    {
        m_window->close();
        show(builtInPacks().first());
    }

    void close()
    {
        for (const QPointer<MainWindow> &window : m_program->windows()) {
            if (window && window->editing())
                window->editing()->document().history().setClean(); // else closing asks
            delete window.data();
        }
        m_program.reset();
    }

    Simulator &simulator() { return m_window->simulator(); }
    Editing &editing() { return *m_window->editing(); }
    Document &document() { return editing().document(); }
    StatechartView &chart() { return *m_window->findChild<StatechartView *>(); }
    TimelineView &tree() { return *m_window->timeline().view(); }
    QString selectedInTree()
    {
        const TimelinePicture &picture = tree().picture();
        return picture.selected == Timeline::NoRow ? QString()
                                                   : picture.timeline->path(picture.selected);
    }
    QTableView &queue() { return *m_window->findChild<QueuePanel *>()->findChild<QTableView *>(); }
    QDockWidget *dock(const QString &name) { return m_window->findChild<QDockWidget *>(name); }
    QString inspected() { return m_window->findChild<Inspector *>()->toPlainText(); }
    QString statusText() { return m_window->statusBar()->currentMessage(); }

    /// A command of the window, by its words.
    QAction &action(const QString &text)
    {
        for (QAction *each : m_window->findChildren<QAction *>()) {
            if (each->text().remove(u'&') == text)
                return *each;
        }
        qFatal("no action %s", qPrintable(text));
    }

    /// Shows what the next frame would show.
    void settle() { m_window->controller().updates().flush(); }
    void runOut()
    {
        simulator().runUntilQuiet();
        settle();
    }

    QString inQueue(const QString &id, OperationModel::Column column)
    {
        settle();
        const QAbstractItemModel &model = *queue().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, OperationModel::Id).data().toString() == id)
                return model.index(row, column).data().toString();
        }
        return u"no such operation"_s;
    }

    /// What can be clicked on the chart now and means a trigger.
    std::optional<ChartElement> lit(const QString &trigger)
    {
        for (const ChartElement &element : chart().parts()) {
            const ArrowMeaning meaning = chart().meaningOf(element);
            if (meaning.isOpen() && meaning.trigger == trigger)
                return element;
        }
        return {};
    }

    void clickOn(const ChartElement &element)
    {
        const ChartArrow &arrow = chart().layout().arrows[element.index];
        const QPoint point = chart().mapFromScene(arrow.lineRect(element.line).center());
        QTest::mouseClick(chart().viewport(), Qt::LeftButton, {}, point);
    }

    void clickInTree(const QString &path)
    {
        const Timeline::Row row = tree().picture().timeline->find(path);
        QVERIFY(row != Timeline::NoRow);
        tree().reveal(row);
        const QPointF middle(tree().treeArea().center().x(), tree().rectOf(row).center().y());
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, middle.toPoint());
    }

    QString write(const QString &name, const QByteArray &content)
    {
        return written(m_folder.filePath(name), content);
    }

    /// A message box as it appeared.
    struct Message
    {
        QString text, more; ///< what it says; empty: none came
        QStringList buttons;
    };

    /// The message that appears while `act` runs; it is left by a button, or by its default one.
    Message messageOf(const std::function<void()> &act, const QString &button)
    {
        Message message;
        QTimer::singleShot(0, m_program.get(), [&] {
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            if (!box)
                return;
            message = { box->text(), box->informativeText(), {} };
            for (const QAbstractButton *each : box->buttons())
                message.buttons += each->text().remove(u'&');
            if (button.isEmpty())
                box->accept();
            else
                panels::button<QPushButton>(*box, button)->click();
        });
        act();
        return message;
    }
    QString messageOf(const std::function<void()> &act) { return messageOf(act, {}).text; }
};

} // namespace instar
