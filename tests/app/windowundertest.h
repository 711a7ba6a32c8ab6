// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/mainwindow.h"
#include "app/program.h"
#include "model/formats/library.h"
#include "model/items/operationmodel.h"
#include "model/items/resourcemodel.h"
#include "views/diagram/statechart.h"
#include "views/panels/firebar.h"
#include "views/panels/queuepanel.h"
#include "views/panels/resourcepanel.h"

#include <QApplication>
#include <QFile>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>
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

    void open()
    {
        QSettings().clear();
        m_program = std::make_unique<Program>();
        m_window = m_program->open(builtInPacks().first());
        QVERIFY(m_window);
        m_window->resize(1280, 800);
        QVERIFY(QTest::qWaitForWindowExposed(m_window));
        chart().setMotion(Motion::Reduced);
        m_window->select(subnet);
    }

    void close()
    {
        for (const QPointer<MainWindow> &window : m_program->windows())
            delete window.data();
        m_program.reset();
    }

    Simulator &simulator() { return m_window->simulator(); }
    StatechartView &chart() { return *m_window->findChild<StatechartView *>(); }
    QTreeView &tree() { return *m_window->findChild<ResourcePanel *>()->findChild<QTreeView *>(); }
    QTableView &queue() { return *m_window->findChild<QueuePanel *>()->findChild<QTableView *>(); }

    QString inQueue(const QString &id, OperationModel::Column column)
    {
        m_window->controller().updates().tell(); // what the next frame would show
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
        const auto *model = static_cast<const ResourceModel *>(tree().model());
        const QModelIndex row = model->indexOf(path);
        QVERIFY(row.isValid());
        tree().scrollTo(row);
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, tree().visualRect(row).center());
    }

    QString write(const QString &name, const QByteArray &content)
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }

    /// What the message says that appears while `act` runs.
    QString messageOf(const std::function<void()> &act)
    {
        QString text;
        QTimer::singleShot(0, m_program.get(), [&] {
            if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
                text = box->text();
                box->accept();
            }
        });
        act();
        return text;
    }
};

} // namespace instar
