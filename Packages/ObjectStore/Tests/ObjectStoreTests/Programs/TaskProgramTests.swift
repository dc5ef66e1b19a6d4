import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

// A task manager: projects with owners, tasks in order, embedded addresses, subtasks, view models.

private enum TaskState: String, PersistableEnum {
    case open = "Open"
    case inProgress = "InProgress"
    case complete = "Complete"
}

private class TaskEntity: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted(indexed: true) var createdAt = Date(timeIntervalSince1970: 1_000)
}

private class TaskItem: TaskEntity {
    @Persisted var name = ""
    @Persisted var state = TaskState.open
    @Persisted var priority = 1
    @Persisted var due: Date?
    @Persisted var subtasks: List<TaskItem>
    @Persisted var labels: List<String>
    @Persisted var place: TaskAddress?
    @Persisted(originProperty: "tasks") var project: LinkingObjects<TaskProject>
    @Persisted(originProperty: "subtasks") var parents: LinkingObjects<TaskItem>

    /// Not stored: what is selected on the screen.
    var isSelected = false
    lazy var initials = String(name.prefix(1))

    convenience init(_ name: String, priority: Int = 1) {
        self.init()
        self.name = name
        self.priority = priority
    }
}

private class TaskProject: TaskEntity {
    @Persisted var name: String = ""
    @Persisted var owner: TaskOwner?
    @Persisted var tasks: List<TaskItem>
}

private class TaskOwner: TaskEntity {
    @Persisted var name: String
    @Persisted var home: TaskAddress?
    @Persisted var others: List<TaskAddress>
    @Persisted var byName: Map<String, TaskAddress?>
}

private class TaskAddress: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var city: String
    @Persisted var country: TaskCountry?
    override class func propertiesMapping() -> [String: String] { ["city": "town"] }
}

private class TaskCountry: EmbeddedObject {
    @Persisted var code = "AT"
    @Persisted var codes: List<String>
}

@Suite("Program: a task manager")
struct TaskProgramTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let project: TaskProject

    init() throws {
        file = try TemporaryRealm([
            TaskItem.self, TaskProject.self, TaskOwner.self, TaskAddress.self, TaskCountry.self,
        ])
        realm = try file.open()
        project = TaskProject(value: ["name": "Garden"])
        project.tasks.append(objectsIn: [
            TaskItem("Dig", priority: 3), TaskItem("Plant", priority: 2), TaskItem("Water"),
        ])
        try realm.write { realm.add(project) }
    }

    private func names<C: Collection>(_ tasks: C) -> [String] where C.Element == TaskItem { tasks.map(\.name) }

    @Test("tasks are moved, swapped, inserted, replaced and removed like in an array")
    func order() throws {
        let tasks = project.tasks
        try realm.write {
            tasks.move(from: 0, to: 2)
            #expect(names(tasks) == ["Plant", "Water", "Dig"])
            tasks.swapAt(0, 1)
            tasks.insert(TaskItem("Weed"), at: 1)
            #expect(names(tasks) == ["Water", "Weed", "Plant", "Dig"])
            tasks[1] = TaskItem("Mow")
            tasks.replaceSubrange(2..<4, with: [TaskItem("Rest")])
            tasks.removeFirst()
        }
        #expect(names(tasks) == ["Mow", "Rest"])
        try realm.write {
            tasks.append(objectsIn: realm.objects(TaskItem.self).where { $0.name.in(["Dig", "Plant"]) })
            tasks.move(fromOffsets: IndexSet([0, 1]), toOffset: 3)
        }
        #expect(tasks.count == 4)
        #expect(names(tasks)[1...2] == ["Mow", "Rest"])
        try realm.write { tasks.remove(atOffsets: IndexSet([0, 3])) }
        #expect(names(tasks) == ["Mow", "Rest"])
        #expect(realm.objects(TaskItem.self).count == 6)
        #expect(tasks.index(matching: { $0.name == "Rest" }) == 1)
        #expect(tasks.index(matching: "name == %@", "nothing") == nil)
        #expect(names(tasks.reversed()) == ["Rest", "Mow"])
        #expect(names(tasks[0..<1]) == ["Mow"])
    }

    @Test("a view model lists open tasks by priority, and stays right while they change")
    func viewModel() throws {
        let open = project.tasks.where { $0.state != .complete }.sorted(byKeyPath: "priority", ascending: false)
        #expect(names(open) == ["Dig", "Plant", "Water"])

        try realm.write {
            project.tasks[0].state = .complete
            project.tasks[2].priority = 9
        }
        #expect(names(open) == ["Water", "Plant"])
        #expect(project.tasks.filter("state == %@", TaskState.complete.rawValue).count == 1)
        #expect(realm.objects(TaskProject.self).where { $0.tasks.state == .complete }.count == 1)
        #expect(
            realm.objects(TaskProject.self)
                .filter("SUBQUERY(tasks, $t, $t.state == 'Open' AND $t.priority > 1).@count == 2").count == 1
        )
        #expect(realm.objects(TaskProject.self).filter("tasks.@max.priority == 9").count == 1)
        #expect(realm.objects(TaskProject.self).where { $0.tasks.priority.sum > 10 }.count == 1)
        #expect(project.tasks.sum(of: \.priority) == 14)
    }

    @Test("deleting all objects of a result while iterating it deletes each")
    func deletingWhileIterating() throws {
        try realm.write {
            for task in realm.objects(TaskItem.self).where({ $0.state == .open }) { realm.delete(task) }
        }
        #expect(project.tasks.isEmpty)
        try realm.write {
            project.tasks.append(objectsIn: (0..<5).map { TaskItem("\($0)") })
            for task in project.tasks where task.name != "3" { realm.delete(task) }
        }
        #expect(names(project.tasks) == ["3"])
    }

    @Test("a change to every object of a result is made although they leave it")
    func changingWhileIterating() throws {
        let open = realm.objects(TaskItem.self).where { $0.state == .open }
        try realm.write { for task in open { task.state = .inProgress } }

        #expect(open.isEmpty)
        #expect(realm.objects(TaskItem.self).where { $0.state == .inProgress }.count == 3)
        try realm.write { realm.objects(TaskItem.self).setValue(TaskState.complete, forKey: "state") }
        #expect(realm.objects(TaskItem.self).where { $0.state == .complete }.count == 3)
    }

    @Test("subtasks refer to their task and to the project, and a task may be its own subtask")
    func subtasks() throws {
        let dig = try #require(project.tasks.first)
        try realm.write {
            dig.subtasks.append(objectsIn: [TaskItem("Spade"), TaskItem("Gloves"), dig])
        }
        #expect(dig.parents.first == dig)
        #expect(dig.subtasks[0].parents.first?.name == "Dig")
        #expect(dig.subtasks[0].project.isEmpty)
        #expect(dig.project.first?.name == "Garden")
        #expect(realm.objects(TaskItem.self).where { $0.parents.count > 0 }.count == 3)
        #expect(realm.objects(TaskItem.self).filter("ANY parents.name == 'Dig' AND name != 'Dig'").count == 2)

        try realm.write { realm.delete(dig.subtasks) }
        #expect(dig.isInvalidated)
        #expect(names(project.tasks) == ["Plant", "Water"])
    }

    @Test("addresses are embedded once, in a list and by name, go with their owner, and nest")
    func addresses() throws {
        let owner = TaskOwner(value: [
            "name": "Ada", "home": ["street": "Elm", "city": "Linz", "country": ["codes": ["AT", "AUT"]]],
            "others": [["city": "Graz"], ["city": "Wien", "country": [String: Any]()]],
            "byName": ["work": ["city": "Steyr"]],
        ])
        try realm.write {
            realm.add(owner)
            project.owner = owner
        }
        #expect(owner.home?.country?.codes.last == "AUT")
        #expect(owner.others.map(\.city) == ["Graz", "Wien"])
        #expect(owner.byName["work"]??.city == "Steyr")
        #expect(realm.objects(TaskOwner.self).where { $0.home.city == "Linz" }.count == 1)
        #expect(realm.objects(TaskOwner.self).where { $0.others.city == "Wien" }.count == 1)
        #expect(realm.objects(TaskOwner.self).where { $0.home.country.codes.contains("AT") }.count == 1)
        #expect(realm.objects(TaskProject.self).filter("owner.home.city BEGINSWITH 'Li'").count == 1)

        let wien = owner.others[1]
        try realm.write {
            owner.others.move(from: 1, to: 0)
            wien.city = "Vienna"
            owner.home = TaskAddress(value: ["city": "Enns"])
        }
        #expect(owner.others.map(\.city) == ["Vienna", "Graz"])
        #expect(!wien.isInvalidated)
        #expect(owner.home?.country == nil)
        #expect(throws: Realm.Error.self) { try realm.write { owner.home = wien } }
        #expect(owner.home?.city == "Enns")

        try realm.write { realm.delete(wien) }
        #expect(owner.others.map(\.city) == ["Graz"])
        let home = owner.home
        try realm.write { realm.delete(owner) }
        #expect(home?.isInvalidated == true)
        #expect(project.owner == nil)
    }

    @Test("an object is copied into another realm with all that belongs to it")
    func copying() throws {
        let owner = TaskOwner(value: ["name": "Ada", "home": ["city": "Linz"]])
        try realm.write {
            realm.add(owner)
            project.owner = owner
            project.tasks[0].labels.append("heavy")
        }
        let other = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: "task-copy",
                objectTypes: file.configuration.objectTypes
            )
        )

        let copy = try other.write { other.create(TaskProject.self, value: project) }

        #expect(copy.realm == other)
        #expect(copy._id == project._id)
        #expect(copy.createdAt == project.createdAt)
        #expect(names(copy.tasks) == ["Dig", "Plant", "Water"])
        #expect(copy.tasks[0].labels.first == "heavy")
        #expect(copy.owner?.home?.city == "Linz")
        #expect(other.objects(TaskItem.self).count == 3)
        #expect(realm.objects(TaskItem.self).count == 3)
    }

    @Test("an object that is not stored keeps what is not stored, and equal objects are one")
    func identity() throws {
        let dig = project.tasks[0]
        dig.isSelected = true
        let again = try #require(realm.object(ofType: TaskItem.self, forPrimaryKey: dig._id))

        #expect(dig == again)
        #expect(dig.isSameObject(as: again))
        #expect(Set([dig, again, project.tasks[1]]).count == 2)
        #expect(dig.initials == "D")
        #expect(TaskItem("x") != TaskItem("x"))
        #expect(project.tasks.contains(again))
        #expect(project.tasks.index(of: again) == 0)
        #expect(again.description.contains("Dig"))
        #expect(TaskItem.className() == "TaskItem")
        #expect(TaskItem.primaryKeyName == "_id")
    }

    @Test("a transaction made by hand is committed or cancelled, and what it added is gone or stays")
    func transactionByHand() throws {
        let task = TaskItem("Paint")
        realm.beginWrite()
        project.tasks.append(task)
        realm.cancelWrite()
        #expect(task.isInvalidated)
        #expect(project.tasks.count == 3)

        realm.beginWrite()
        project.tasks.append(TaskItem("Paint"))
        try realm.commitWrite()
        #expect(project.tasks.last?.name == "Paint")

        let count = try realm.write { () -> Int in
            project.tasks.removeLast(2)
            return project.tasks.count
        }
        #expect(count == 2)
    }
}

extension TaskItem {
    fileprivate static var primaryKeyName: String? { TaskItem().objectSchema.primaryKeyProperty?.name }
}
