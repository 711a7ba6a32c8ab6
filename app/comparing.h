// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/behaviouraldifference.h"
#include "model/task.h"

#include <QPointer>

class QMenu;

namespace instar {

class Controller;
class Document;

/// Comparison of the edited pack with its saved version or another file. Shows the differences as
/// text, and the shortest scenario in which the two behave differently.
class Comparing : public QObject
{
    Q_OBJECT
public:
    /// `pack`: the built-in pack's id, or the file, that a scenario names.
    Comparing(Document &document, Controller &controller, const QString &pack, QWidget &window);

    void fill(QMenu &menu);
    /// `source`: a built-in pack's id or a file; empty: the saved version.
    void compareWith(const QString &source);
    bool isComparing() const { return m_task; }

signals:
    /// Requests a window of its own that plays the scenario on the pack.
    void runAsked(const instar::ComparedPack &pack, const instar::Scenario &scenario);

private:
    struct Found
    {
        QString text;
        ComparedPack here;
        std::optional<Scenario> scenario;
    };

    void compareWithFile();
    void show(const QString &title, const Result<Found> &found);

    Document &m_document;
    Controller &m_controller;
    const QString m_pack;
    QWidget &m_window;
    QPointer<Task> m_task;
};

} // namespace instar
