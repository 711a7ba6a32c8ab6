// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QGraphicsView>
#include <QLabel>
#include <QPointer>
#include <QPointF>
#include <QWidget>

#include <optional>

namespace instar {

class Controller;

/// Caption at a window's lower edge: the last event in large letters, or the keys to press.
class Caption : public QLabel
{
    Q_OBJECT
public:
    Caption(const Controller &controller, QWidget *window);

    /// Shows the newest event, or the keys. Long names are elided in the middle.
    void refresh();
    /// True if it shows an event or a sentence; false: the keys.
    bool showsText() const { return m_showsText; }
    /// Starts a page of a lesson: hides the first `records` events. From then on, the shown keys
    /// include those that answer the lesson's questions.
    void beginPage(qsizetype records);
    /// Shows a sentence until the next event; empty: withdraws it.
    void say(const QString &sentence);

private:
    int greatestWidth() const; ///< pixels
    void moveToLowerEdge();

    const Controller &m_controller;
    bool m_showsText = false, m_isLesson = false;
    qsizetype m_hidden = 0;     ///< number of events on earlier pages
    QString m_sentence;         ///< sentence of say(); empty: none
    qsizetype m_sentenceAt = 0; ///< number of events when say() was called
};

/// Magnified view of a widget. The widget stays interactive; it has no parent meanwhile.
class Enlarged : public QGraphicsView
{
    Q_OBJECT
public:
    Enlarged(QWidget *shown, double factor, QWidget *parent = nullptr);
    ~Enlarged() override;

    QWidget *shown() const { return m_shown; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QPointer<QWidget> m_shown;
    double m_factor;
};

/// Laser pointer over a whole window: a ring of light at the mouse. It lets clicks through.
class Laser : public QWidget
{
    Q_OBJECT
public:
    explicit Laser(QWidget *window);

    void pointAt(const QPointF &point);
    bool isSeen() const { return m_spot.has_value(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::optional<QPointF> m_spot;
};

} // namespace instar
