// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"
#include "model/task.h"
#include "views/panels/startstrip.h"
#include "views/tworuns/tworuns.h"

#include <QPointer>

namespace instar {

/// What runs in the window beside another branch of it, or beside what becomes of the same requests
/// under other settings of the switches or by another pack. Both go on until nothing is left that
/// happens by itself.
class SideBySide : public QObject
{
    Q_OBJECT
public:
    /// `systems`: the built-in packs.
    SideBySide(Simulator &simulator, const QList<StartStrip::Start> &systems, QWidget &window);

    void setTheme(const Theme &theme);
    void setMotion(Motion motion);
    /// Shows both; `selected` is the resource that the window shows. At first the newest other
    /// branch is there, if there is one.
    void open(const QString &selected);
    /// With "branch ID", switches' "NAME=VALUE NAME=VALUE", a built-in pack's id or a file.
    void compareWith(const QString &what);
    TwoRuns &view() { return *m_view; }
    bool isLooking() const { return m_task; }

private:
    void fillMenu();
    void offerSettings(QMenu *menu);
    void compareWithFile();
    QString titleOf(const QString &what) const;
    bool canBeCompared(const QString &what) const;
    QList<std::pair<const Switch *, QString>> settings(const QString &what) const;

    Simulator &m_simulator;
    const QList<StartStrip::Start> m_systems;
    TwoRuns *m_view;
    QString m_what, m_selected;
    QPointer<Task> m_task;
};

} // namespace instar
