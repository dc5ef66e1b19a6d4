import Daybook
import Foundation

/// A class of which each object has many collections, as models have that were made for a sync or from a schema.
class Gathering: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var intList: List<Int>
    @Persisted var intSet: MutableSet<Int>
    @Persisted var intMap: Map<String, Int>
    @Persisted var longList: List<Int64>
    @Persisted var longSet: MutableSet<Int64>
    @Persisted var longMap: Map<String, Int64>
    @Persisted var doubleList: List<Double>
    @Persisted var doubleSet: MutableSet<Double>
    @Persisted var doubleMap: Map<String, Double>
    @Persisted var floatList: List<Float>
    @Persisted var floatSet: MutableSet<Float>
    @Persisted var floatMap: Map<String, Float>
    @Persisted var boolList: List<Bool>
    @Persisted var boolSet: MutableSet<Bool>
    @Persisted var boolMap: Map<String, Bool>
    @Persisted var stringList: List<String>
    @Persisted var stringSet: MutableSet<String>
    @Persisted var stringMap: Map<String, String>
    @Persisted var dataList: List<Data>
    @Persisted var dataSet: MutableSet<Data>
    @Persisted var dataMap: Map<String, Data>
    @Persisted var dateList: List<Date>
    @Persisted var dateSet: MutableSet<Date>
    @Persisted var dateMap: Map<String, Date>
    @Persisted var uuidList: List<UUID>
    @Persisted var uuidSet: MutableSet<UUID>
    @Persisted var uuidMap: Map<String, UUID>
    @Persisted var objectIdList: List<ObjectId>
    @Persisted var objectIdSet: MutableSet<ObjectId>
    @Persisted var objectIdMap: Map<String, ObjectId>
    @Persisted var decimalList: List<Decimal128>
    @Persisted var decimalSet: MutableSet<Decimal128>
    @Persisted var decimalMap: Map<String, Decimal128>
    @Persisted var optionalIntList: List<Int?>
    @Persisted var optionalIntSet: MutableSet<Int?>
    @Persisted var optionalIntMap: Map<String, Int?>
    @Persisted var optionalDoubleList: List<Double?>
    @Persisted var optionalDoubleSet: MutableSet<Double?>
    @Persisted var optionalDoubleMap: Map<String, Double?>
    @Persisted var optionalStringList: List<String?>
    @Persisted var optionalStringSet: MutableSet<String?>
    @Persisted var optionalStringMap: Map<String, String?>
    @Persisted var optionalDateList: List<Date?>
    @Persisted var optionalDateSet: MutableSet<Date?>
    @Persisted var optionalDateMap: Map<String, Date?>
    @Persisted var optionalUUIDList: List<UUID?>
    @Persisted var optionalUUIDSet: MutableSet<UUID?>
    @Persisted var optionalUUIDMap: Map<String, UUID?>
    @Persisted var optionalDataList: List<Data?>
    @Persisted var optionalDataSet: MutableSet<Data?>
    @Persisted var optionalDataMap: Map<String, Data?>
    @Persisted var optionalBoolList: List<Bool?>
    @Persisted var optionalBoolSet: MutableSet<Bool?>
    @Persisted var optionalBoolMap: Map<String, Bool?>
}

final class GatheringA: Gathering {}
final class GatheringB: Gathering {}
final class GatheringC: Gathering {}
final class GatheringD: Gathering {}
final class GatheringE: Gathering {}
final class GatheringF: Gathering {}
final class GatheringG: Gathering {}
final class GatheringH: Gathering {}
final class GatheringI: Gathering {}
final class GatheringJ: Gathering {}
final class GatheringK: Gathering {}
final class GatheringL: Gathering {}
final class GatheringM: Gathering {}

/// Thirteen classes with fifty-four collections each.
let gatherings: [ObjectBase.Type] = [
    GatheringA.self, GatheringB.self, GatheringC.self, GatheringD.self, GatheringE.self,
    GatheringF.self, GatheringG.self, GatheringH.self, GatheringI.self, GatheringJ.self,
    GatheringK.self, GatheringL.self, GatheringM.self,
]
