// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

namespace instar {

class HtmlLabel;

/// Where to begin: what can be done with what is shown, and what else could be shown.
class StartStrip : public QFrame
{
    Q_OBJECT
public:
    struct Start
    {
        QString id, title;
    };
    /// `current` is the id of the pack that is shown.
    StartStrip(const QList<Start> &systems, const QString &current, QWidget *parent = nullptr);
    /// Says what can be tried: `lit` can be clicked now, and `rival` meets it while it runs. Either
    /// may be empty.
    void setHint(const QString &lit, const QString &rival);
    /// Says how what was played already is seen.
    void setPlayed();
    /// The first of it was done. True: the strip says what is next; false: nothing is.
    bool follow();

signals:
    void systemAsked(const QString &id);
    void guideAsked();
    void fileAsked();
    void lessonsAsked();
    void serverAsked();
    void closed();

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void open(const QString &link);
    void showText();

    QString m_says, m_rival;
    QString m_starts, m_fewStarts; ///< where there is room for all, and where there is not
    bool m_hasBegun = false;
    HtmlLabel *m_text;
};

} // namespace instar
