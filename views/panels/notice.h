// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

#include <functional>

class QLabel;

namespace instar {

/// A sentence with an icon on a ground of its tone: what is wrong, what should be known, that all
/// is well.
class Notice : public QFrame
{
    Q_OBJECT
public:
    enum class Tone { Good, Hint, Wrong };

    explicit Notice(QWidget *parent = nullptr);

    /// Nothing is shown where the sentence is empty, but its place stays.
    void say(Tone tone, const QString &sentence);
    QString text() const;
    Tone tone() const { return m_tone; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void showIcon();

    Tone m_tone = Tone::Good;
    QLabel *m_icon, *m_text;
};

/// A sentence over what somebody works at, and what can be done about it: nothing is in the way
/// meanwhile. Hidden as long as there is nothing to say.
class NoticeBar : public Notice
{
    Q_OBJECT
public:
    struct Answer
    {
        QString text, tip;
        std::function<void()> act; ///< the bar is hidden before
    };

    explicit NoticeBar(QWidget *parent = nullptr);

    void ask(Tone tone, const QString &sentence, const QList<Answer> &answers);
    /// There is nothing to say any more.
    void settle();
    bool isAsking() const { return !text().isEmpty(); }
};

} // namespace instar
