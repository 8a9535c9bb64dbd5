struct Warehouse;

#[byre::toolset]
impl Warehouse {
    fn count(&self) -> u8 {
        1
    }
}

fn _use(warehouse: &Warehouse) -> u8 {
    warehouse.count()
}

fn main() {}
