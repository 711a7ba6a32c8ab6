// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

#include <boost/stl_interfaces/iterator_interface.hpp>

#include <iterator>

namespace instar {

/// Persistent list (Driscoll et al., "Making Data Structures Persistent", 1989) of two levels:
/// copies share chunks, so changing one element after a copy copies its chunk and the list of the
/// chunks, not all elements. Use longer chunks for small elements.
template<typename T, qsizetype Chunk = 32>
class PersistentList
{
public:
    using value_type = T;

    class const_iterator : public boost::stl_interfaces::iterator_interface<const_iterator,
                               std::random_access_iterator_tag, T, const T &, const T *, qsizetype>
    {
    public:
        const_iterator() = default;
        const_iterator(const PersistentList *list, qsizetype index) : m_list(list), m_index(index)
        { }
        const T &operator*() const { return (*m_list)[m_index]; }
        const_iterator &operator+=(qsizetype by)
        {
            m_index += by;
            return *this;
        }
        qsizetype operator-(const const_iterator &other) const { return m_index - other.m_index; }

    private:
        const PersistentList *m_list = nullptr;
        qsizetype m_index = 0;
    };

    qsizetype size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    const T &operator[](qsizetype index) const { return m_chunks[index / Chunk][index % Chunk]; }
    const T &first() const { return (*this)[0]; }
    const T &last() const { return (*this)[m_size - 1]; }
    const_iterator begin() const { return { this, 0 }; }
    const_iterator end() const { return { this, m_size }; }

    /// Returns an element for changing it; detaches its chunk from copies of the list.
    T &change(qsizetype index) { return m_chunks[index / Chunk][index % Chunk]; }
    void append(T value)
    {
        if (m_size % Chunk == 0)
            m_chunks.append(QList<T>());
        m_chunks.last().append(std::move(value));
        ++m_size;
    }

    bool operator==(const PersistentList &other) const
    {
        return m_size == other.m_size && m_chunks == other.m_chunks;
    }

private:
    QList<QList<T>> m_chunks; ///< all but the last are full
    qsizetype m_size = 0;
};

} // namespace instar
