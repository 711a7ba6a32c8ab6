// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QImage>
#include <QList>

namespace instar {

/// Pictures one after another as one file: an animated PNG (https://www.w3.org/TR/png-3/), which
/// browsers play and whatever else knows PNG shows the first picture of. Of each only what is
/// otherwise than before is kept.
class AnimatedPng
{
public:
    /// All pictures have the size of the first.
    void add(const QImage &picture, int ms);
    qsizetype count() const { return m_frames.size(); }
    /// Empty: nothing was added.
    QByteArray bytes() const;

private:
    struct Frame
    {
        QRect area; ///< of the whole picture
        int ms = 0;
        QByteArray data; ///< compressed
    };
    QImage m_last;
    QByteArray m_header; ///< IHDR
    QList<Frame> m_frames;
};

} // namespace instar
