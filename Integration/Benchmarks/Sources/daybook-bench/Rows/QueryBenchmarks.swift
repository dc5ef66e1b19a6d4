import BenchmarkHarness

/// Queries of the store beside the same questions to SQLite, prepared once and asked through its C API.
///
/// **Where the goals come from.** They were set as multiples of the times of another engine's core, which this program does not run.
/// It was measured beside an earlier state of this store, 100,000 objects, on a machine where a count with a filter took that state
/// 8.6 ms. Where these rows were written the same code takes 2.87 ms, so the engine's times are taken as a third of what they were:
///
///     goal = what is allowed of the engine's time × the engine's time ÷ 3 ÷ the floor's time when these rows were written
///
/// | row | engine's time | allowed | floor here | goal |
/// |---|---|---|---|---|
/// | count with a filter | 0.62 ms | 1 | 2.8 ms | 0.08 |
/// | AND, OR | 1.3, 1.7 ms | 1 | 3.7, 3.4 ms | 0.12, 0.17 |
/// | sum, average, maximum | 0.95 ms | 1 | 3.2, 3.2, 3.5 ms | 0.1, 0.1, 0.09 |
/// | CONTAINS, CONTAINS[c] | 1.5, 1.8 ms | 1.5 | 4.5, 5.0 ms | 0.17, 0.18 |
/// | BEGINSWITH, text == | 1.3, 0.9 ms | 1.5 | 2.6, 2.4 ms | 0.25, 0.19 |
/// | filter and read the 10 % that match | 3.3 ms | 1.5 | 4.0 ms | 0.41 |
/// | query of 10,000 objects, read whole | 1.6 ms | 1.5 | 2.0 ms | 0.4 |
/// | read all, one, six properties | 98, 268 ns | 2.5, 1.2 | 54, 190 ns | 1.5, 0.56 |
/// | sort by a number: all, first 20 | 73, 52 ms | 1, 0.3 | 25.5, 5.2 ms | 0.95, 1 |
/// | distinct, count | 54 ms | 1 | 16 ms | 1.1 |
/// | indexed equality, new, same value | 1.2, 1.1 us | 3 | 0.51, 0.33 us | 2.4, 3.4 |
/// | look-up by key, cold, repeated | 723, 230 ns | 1.2, 0.5 | 452, 290 ns | 0.64, 0.13 |
///
/// The first count with a filter keeps the goal that it had before there was a cache, and a sort by a text, where the store was ahead of
/// the engine already, the ratio that it has. Where a goal is far below 1, SQLite's scan is too slow for it: the values have to be in
/// memory, in columns; rows that end in "again" have the goal of the first time. The first of all objects, which was not compared, may
/// cost ten times the floor, most of which is to make the query, the result and the object. Rows that nothing is said about are measured
/// the first time, in a file of which nothing was read.
func queryBenchmarks(_ workload: Workload, _ files: FilledFiles) -> [Benchmark] {
    (scanQuestions + textQuestions + readingQuestions + viewQuestions + keyQuestions)
        .flatMap { question in
            workload.counts.map { count in
                let work = QuestionWork(question: question, count: count, files: files)
                return Benchmark(
                    "\(question.name), \(count) objects",
                    unit: question.unit,
                    target: count == 100_000 ? .timesFloor(question.goal) : nil,
                    step: GrowthStep(question.name, size: count),
                    floor: { try work.floor() },
                    ours: { try await work.ours() }
                )
            }
        }
}
