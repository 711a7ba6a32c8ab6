// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/drawing/theme.h"

#include <QAbstractButton>

namespace instar {

/// Words that a narrow panel may break: long ones of several, such as error codes, between them.
QString breakable(QString words);

/// An answer that can be chosen: a letter and words that are broken where the panel is narrow. When
/// what it claims is known it says whether that came true.
class ChoiceButton : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Truth { Unknown, CameTrue, DidNot };

    ChoiceButton(const QString &letter, const QString &words, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setTruth(Truth truth);
    Truth truth() const { return m_truth; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QRect wordsRect(int width) const;
    QString sign() const;

    QString m_letter;
    Theme m_theme = Theme::light();
    Truth m_truth = Truth::Unknown;
};

} // namespace instar
