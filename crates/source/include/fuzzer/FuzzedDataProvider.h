// FuzzedDataProvider as slowpath gives it to fuzz targets: the usual calls, taking the bytes of an input apart as libFuzzer's header does,
// so that inputs mean the same there. Text and bytes are taken from the front, numbers from the back.
#ifndef SLOWPATH_FUZZED_DATA_PROVIDER_H
#define SLOWPATH_FUZZED_DATA_PROVIDER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

class FuzzedDataProvider {
  public:
    FuzzedDataProvider(const uint8_t *data, size_t size) : front(data), left(size) {}
    FuzzedDataProvider(const FuzzedDataProvider &) = delete;
    FuzzedDataProvider &operator=(const FuzzedDataProvider &) = delete;

    size_t remaining_bytes() { return left; }

    // Elements of one byte each, from the front.
    template <typename T> std::vector<T> ConsumeBytes(size_t count) { return elements<T>(at_most(count), 0); }

    template <typename T> std::vector<T> ConsumeBytesWithTerminator(size_t count, T terminator = 0) {
        std::vector<T> result = elements<T>(at_most(count), 1);
        result.back() = terminator;
        return result;
    }

    template <typename T> std::vector<T> ConsumeRemainingBytes() { return ConsumeBytes<T>(left); }

    size_t ConsumeData(void *destination, size_t count) {
        count = at_most(count);
        if (count > 0)
            std::memcpy(destination, front, count);
        forward(count);
        return count;
    }

    std::string ConsumeBytesAsString(size_t count) {
        count = at_most(count);
        std::string result(reinterpret_cast<const char *>(front), count);
        forward(count);
        return result;
    }

    std::string ConsumeRemainingBytesAsString() { return ConsumeBytesAsString(left); }

    // Ends at a backslash that no second one follows; two stand for one.
    std::string ConsumeRandomLengthString(size_t most) {
        std::string result;
        for (size_t i = 0; i < most && left > 0; ++i) {
            char next = character();
            if (next == '\\' && left > 0) {
                next = character();
                if (next != '\\')
                    break;
            }
            result.push_back(next);
        }
        return result;
    }

    std::string ConsumeRandomLengthString() { return ConsumeRandomLengthString(left); }

    // Numbers, from the back.
    template <typename T> T ConsumeIntegral() {
        return ConsumeIntegralInRange(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }

    template <typename T> T ConsumeIntegralInRange(T low, T high) {
        static_assert(std::is_integral<T>::value, "a number without a fraction");
        static_assert(sizeof(T) <= sizeof(uint64_t), "a number of at most 64 bits");
        if (low > high)
            __builtin_trap();
        const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
        uint64_t drawn = 0;
        for (size_t bits = 0; bits < sizeof(T) * 8 && (span >> bits) > 0 && left > 0; bits += 8) {
            --left;
            drawn = (drawn << 8) | front[left];
        }
        if (span != std::numeric_limits<uint64_t>::max())
            drawn %= span + 1;
        return static_cast<T>(static_cast<uint64_t>(low) + drawn);
    }

    bool ConsumeBool() { return (ConsumeIntegral<uint8_t>() & 1) != 0; }

    // An enumeration whose values are 0 to kMaxValue.
    template <typename T> T ConsumeEnum() {
        static_assert(std::is_enum<T>::value, "an enumeration");
        return static_cast<T>(ConsumeIntegralInRange<uint32_t>(0, static_cast<uint32_t>(T::kMaxValue)));
    }

    // From 0 to 1.
    template <typename T> T ConsumeProbability() {
        using Bits = typename std::conditional<sizeof(T) <= sizeof(uint32_t), uint32_t, uint64_t>::type;
        return static_cast<T>(ConsumeIntegral<Bits>()) / static_cast<T>(std::numeric_limits<Bits>::max());
    }

    template <typename T> T ConsumeFloatingPoint() {
        return ConsumeFloatingPointInRange<T>(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
    }

    template <typename T> T ConsumeFloatingPointInRange(T low, T high) {
        if (low > high)
            __builtin_trap();
        // The whole span may be more than the type holds: then one of its halves is drawn first.
        if (high > 0 && low < 0 && high > low + std::numeric_limits<T>::max()) {
            const T half = high / static_cast<T>(2) - low / static_cast<T>(2);
            const T from = ConsumeBool() ? low + half : low;
            return from + half * ConsumeProbability<T>();
        }
        return low + (high - low) * ConsumeProbability<T>();
    }

    // One of several values.
    template <typename T, size_t count> T PickValueInArray(const T (&values)[count]) {
        static_assert(count > 0, "values to choose from");
        return values[ConsumeIntegralInRange<size_t>(0, count - 1)];
    }

    template <typename T, size_t count> T PickValueInArray(const std::array<T, count> &values) {
        static_assert(count > 0, "values to choose from");
        return values[ConsumeIntegralInRange<size_t>(0, count - 1)];
    }

    template <typename T> T PickValueInArray(std::initializer_list<const T> values) {
        if (values.size() == 0)
            __builtin_trap();
        return *(values.begin() + ConsumeIntegralInRange<size_t>(0, values.size() - 1));
    }

  private:
    size_t at_most(size_t count) { return count < left ? count : left; }

    void forward(size_t count) {
        front += count;
        left -= count;
    }

    char character() {
        const char next = static_cast<char>(front[0]);
        forward(1);
        return next;
    }

    template <typename T> std::vector<T> elements(size_t count, size_t more) {
        static_assert(sizeof(T) == sizeof(uint8_t), "elements of one byte");
        std::vector<T> result(count + more);
        if (count > 0)
            std::memcpy(result.data(), front, count);
        forward(count);
        return result;
    }

    const uint8_t *front;
    size_t left;
};

#endif
