// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/explore/behaviouraldifference.h"
#include "model/task.h"

#include <QPointer>

class QMenu;

namespace instar {

class Controller;
class Document;

/// Compares the edited pack with its saved version or with another file: the differences as text,
/// with the shortest scenario that shows one.
class Comparing : public QObject
{
    Q_OBJECT
public:
    /// `pack`: the built-in pack's id or the file that scenarios name.
    Comparing(Document &document, Controller &controller, const QString &pack, QWidget &window);

    void fill(QMenu &menu);
    /// `source`: a built-in pack's id or a file; empty: the saved version.
    void compareWith(const QString &source);
    bool isComparing() const { return m_task; }

signals:
    /// The scenario is to be played on the pack, in a window of its own.
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
