// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/task.h"

#include <QPointer>

namespace instar {

class MainWindow;

/// Comparison of the edited pack with its saved version or another file. Shows the differences as
/// text, and the shortest scenario in which the two behave differently.
class Comparing : public QObject
{
    Q_OBJECT
public:
    explicit Comparing(MainWindow &window);

    /// `source`: a built-in pack's id or a file; empty: the saved version.
    void compareWith(const QString &source);
    void compareWithFile(); ///< asks for the file
    bool isComparing() const { return m_task; }

private:
    MainWindow &m_window;
    QPointer<Task> m_task;
};

} // namespace instar
