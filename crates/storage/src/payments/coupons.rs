//! Coupons and their uses: reserved with an order, spent with its payment, released when the order is abandoned.

use domain::payments::coupons::{Coupon, Discount, former_code, normalize_code};
use domain::{CouponId, OrderId, Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, code, discount, value, valid_from, valid_until, max_uses, max_uses_per_user, uses, created_at
             FROM coupons ",
            $rest
        )
    };
}

row! {
    pub(crate) struct CouponRow {
        id: String,
        code: String,
        discount: String,
        value: i64,
        valid_from: Option<i64>,
        valid_until: Option<i64>,
        max_uses: Option<i64>,
        max_uses_per_user: Option<i64>,
        uses: i64,
        created_at: i64,
    }
}

impl FromColumns for Coupon {
    type Columns = CouponRow;

    fn from_columns(row: CouponRow) -> Result<Self> {
        let discount = match row.discount.as_str() {
            "percent" => Some(Discount::Percent(row.value)),
            "fixed" => Some(Discount::Fixed(Paise::new(row.value))),
            _ => None,
        };
        Ok(Self {
            id: decode::id(&row.id, "coupons.id")?,
            code: row.code,
            discount: decode::known(discount, "coupons.discount")?,
            valid_from: decode::time(row.valid_from),
            valid_until: decode::time(row.valid_until),
            max_uses: row.max_uses,
            max_uses_per_user: row.max_uses_per_user,
            uses: row.uses,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Inserts an unused coupon, whatever `coupon.uses` is; false when its code exists.
pub async fn create(tx: &mut Tx, coupon: &Coupon) -> Result<bool> {
    let (discount, value) = match coupon.discount {
        Discount::Percent(percent) => ("percent", percent),
        Discount::Fixed(amount) => ("fixed", amount.get()),
    };
    let updated = execute!(
        tx,
        "INSERT INTO coupons (id, code, code_key, discount, value, valid_from, valid_until, max_uses,
             max_uses_per_user, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (code_key) DO NOTHING",
        coupon.id,
        coupon.code,
        normalize_code(&coupon.code),
        discount,
        value,
        coupon.valid_from,
        coupon.valid_until,
        coupon.max_uses,
        coupon.max_uses_per_user,
        coupon.created_at,
    )?;
    Ok(updated == 1)
}

/// The coupon with this code, whatever its case, valid or not.
pub async fn by_code(db: &dyn Executor, code: &str) -> Result<Option<Coupon>> {
    // Of two that a version before told apart, that which it would have found.
    fetch_optional!(
        db,
        Coupon,
        select!("WHERE code_key IN ($1, $2) ORDER BY CASE WHEN code_key = $2 THEN 0 ELSE 1 END LIMIT 1"),
        normalize_code(code),
        former_code(code),
    )
}

/// Every coupon, newest first.
pub async fn list(db: &dyn Executor) -> Result<Vec<Coupon>> {
    fetch_all!(db, Coupon, select!("ORDER BY created_at DESC, id DESC"))
}

/// The coupons of an account's orders, oldest first.
pub async fn of_orders(db: &dyn Executor, user: UserId) -> Result<Vec<Coupon>> {
    fetch_all!(
        db,
        Coupon,
        select!("WHERE id IN (SELECT coupon_id FROM orders WHERE user_id = $1) ORDER BY id"),
        user,
    )
}

/// How often an account has used a coupon, with its open orders.
pub async fn uses_by(db: &dyn Executor, coupon: CouponId, user: UserId) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM coupon_uses WHERE coupon_id = $1 AND user_id = $2 AND state <> 'released'",
        coupon,
        user,
    )
}

/// Whether an account may use a coupon once more. Its row is locked, so that this stays so until the transaction ends.
pub(crate) async fn has_use_left(tx: &mut Tx, coupon: CouponId, user: UserId) -> Result<bool> {
    let statement = for_update!(tx.engine(), select!("WHERE id = $1"));
    let Some(coupon) = fetch_optional!(&mut *tx, Coupon, statement, coupon)? else {
        return Ok(false);
    };
    let own = uses_by(tx, coupon.id, user).await?;
    Ok(coupon.has_use_left(own))
}

/// Reserves a use for an order, after [`has_use_left`].
pub(crate) async fn reserve(
    tx: &mut Tx,
    coupon: CouponId,
    user: UserId,
    order: OrderId,
    now: Timestamp,
) -> Result<()> {
    execute!(tx, "UPDATE coupons SET uses = uses + 1 WHERE id = $1", coupon)?;
    execute!(
        tx,
        "INSERT INTO coupon_uses (order_id, coupon_id, user_id, state, reserved_at)
         VALUES ($1, $2, $3, 'reserved', $4)",
        order,
        coupon,
        user,
        now,
    )?;
    Ok(())
}

/// Reserves the use of an order's coupon again, for as long as a new one; false when none is left, or the coupon was not
/// valid any more at `paid_at`. The caller has locked the order.
pub async fn reserve_again(tx: &mut Tx, order: OrderId, paid_at: Timestamp, now: Timestamp) -> Result<bool> {
    let extended = execute!(
        tx,
        "UPDATE coupon_uses SET reserved_at = $2 WHERE order_id = $1 AND state = 'reserved'",
        order,
        now,
    )? == 1;
    Ok(extended || take_released(tx, order, "reserved", paid_at, now).await?)
}

/// Spends the use that an order with a coupon has reserved, or has spent. One that was released is taken again; false when
/// none is left, or the coupon was not valid at `paid_at`. The caller has locked the order.
pub async fn spend(tx: &mut Tx, order: OrderId, paid_at: Timestamp, now: Timestamp) -> Result<bool> {
    lock_of(tx, order).await?;
    let spent = execute!(
        tx,
        "UPDATE coupon_uses SET state = 'spent' WHERE order_id = $1 AND state IN ('reserved', 'spent')",
        order,
    )? == 1;
    Ok(spent || take_released(tx, order, "spent", paid_at, now).await?)
}

/// Locks the coupon of an order. An order comes first, then its coupon, then the account, as where an order is made: a payment
/// that buys nothing gives the use back when its transaction has the account.
async fn lock_of(tx: &mut Tx, order: OrderId) -> Result<()> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM coupons WHERE id = (SELECT coupon_id FROM coupon_uses WHERE order_id = $1)"
    );
    fetch_optional!(tx, CouponId, statement, order)?;
    Ok(())
}

row! {
    struct ReleasedUse {
        coupon_id: String,
        user_id: String,
    }
}

impl FromColumns for ReleasedUse {
    type Columns = Self;

    fn from_columns(row: Self) -> Result<Self> {
        Ok(row)
    }
}

async fn take_released(
    tx: &mut Tx,
    order: OrderId,
    state: &str,
    paid_at: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let released = fetch_optional!(
        &mut *tx,
        ReleasedUse,
        "SELECT coupon_id, user_id FROM coupon_uses WHERE order_id = $1 AND state = 'released'",
        order,
    )?;
    let Some(ReleasedUse { coupon_id, user_id }) = released else { return Ok(false) };
    let coupon: CouponId = decode::id(&coupon_id, "coupon_uses.coupon_id")?;
    let is_valid = fetch_optional!(&mut *tx, Coupon, select!("WHERE id = $1"), coupon)?
        .is_some_and(|coupon: Coupon| !coupon.has_ended(paid_at));
    if !is_valid || !has_use_left(tx, coupon, decode::id(&user_id, "coupon_uses.user_id")?).await? {
        return Ok(false);
    }
    execute!(tx, "UPDATE coupons SET uses = uses + 1 WHERE id = $1", coupon)?;
    execute!(
        tx,
        "UPDATE coupon_uses SET state = $2, reserved_at = $3 WHERE order_id = $1",
        order,
        state,
        now,
    )?;
    Ok(true)
}

/// Inserts a use that an order has released, for one that is made anew; nothing when the coupon is not there.
pub(crate) async fn insert_released(
    tx: &mut Tx,
    coupon: CouponId,
    user: UserId,
    order: OrderId,
    at: Timestamp,
) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO coupon_uses (order_id, coupon_id, user_id, state, reserved_at)
         SELECT $1, id, $3, 'released', $4 FROM coupons WHERE id = $2",
        order,
        coupon,
        user,
        at,
    )?;
    Ok(())
}

/// The orders whose use of a coupon was reserved at `before` or earlier and is not spent, oldest first.
pub async fn reserved_before(db: &dyn Executor, before: Timestamp, limit: i64) -> Result<Vec<OrderId>> {
    fetch_all!(
        db,
        OrderId,
        "SELECT order_id FROM coupon_uses WHERE state = 'reserved' AND reserved_at <= $1
         ORDER BY reserved_at, order_id LIMIT $2",
        before,
        limit,
    )
}

/// How many uses of a coupon the open orders of an account have reserved.
pub async fn reserved_by(db: &dyn Executor, coupon: CouponId, user: UserId) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM coupon_uses WHERE coupon_id = $1 AND user_id = $2 AND state = 'reserved'",
        coupon,
        user,
    )
}

/// Gives the use back that an order has reserved, if it has. The caller has locked the order.
pub async fn release(tx: &mut Tx, order: OrderId) -> Result<()> {
    give_back(tx, order, "reserved").await
}

/// Gives the use back that an order has spent, since its payment bought nothing. The caller has locked the order.
pub async fn release_spent(tx: &mut Tx, order: OrderId) -> Result<()> {
    give_back(tx, order, "spent").await
}

async fn give_back(tx: &mut Tx, order: OrderId, state: &str) -> Result<()> {
    let coupon = fetch_optional!(
        tx,
        CouponId,
        "UPDATE coupon_uses SET state = 'released' WHERE order_id = $1 AND state = $2 RETURNING coupon_id",
        order,
        state,
    )?;
    if let Some(coupon) = coupon {
        execute!(tx, "UPDATE coupons SET uses = uses - 1 WHERE id = $1", coupon)?;
    }
    Ok(())
}
