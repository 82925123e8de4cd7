//! A store product as an admin edits it, and the numbers in it.
//!
//! Prices are whole cents from here on; on the wire they are numbers with two decimals.

use crate::validation::Validate;
use serde::{Deserialize, Serialize, Serializer};

use crate::checked::{Checked, Problem, Refusal, refusals, untitled, validated};
use crate::number::Number;
use crate::release;
use crate::text;
use crate::url::{predicate as url, tidied};

/// The highest price, in whole units.
pub const PRICE_MAX: u64 = 999_999;
/// The highest price, in cents.
pub const PRICE_MAX_CENTS: u32 = 99_999_900;
/// The highest stock: what a signed 32-bit column holds.
pub const STOCK_MAX: u32 = i32::MAX.unsigned_abs();
/// The most characters of a category.
pub const CATEGORY_MAX: usize = 50;

refusals! {
    /// What the product form refuses; title and description have [`crate::release::ReleaseError`], the image has
    /// [`crate::url::UrlError`].
    pub enum ProductError {
        PriceRequired = "price_required", "Price is required";
        PriceNegative = "price_negative", "Price must be positive";
        PriceTooHigh = "price_too_high", "Price too high";
        StockRequired = "stock_required", "Stock is required";
        StockNotWhole = "stock_not_whole", "Stock must be a whole number";
        StockNegative = "stock_negative", "Stock cannot be negative";
        StockTooHigh = "stock_too_high", "Stock too high";
        CategoryTooLong = "category_too_long", "Category must be less than 50 characters";
        CategoryCharacters = "category_characters", "Invalid characters in category";
    }
}
untitled!(ProductError);

/// A price from 0 to 999999.00; on the wire a number with two decimals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), tsify(type = "number"))]
pub struct Price(u32);

impl Price {
    /// Whole cents, at most [`PRICE_MAX_CENTS`].
    pub const fn cents(self) -> u32 {
        self.0
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 100.0)
    }
}

/// Reads a price as typed. What is no number (an emptied field too) is 0; decimals beyond the second are rounded half
/// up; below 0 and above 999999 have their texts, judged before rounding.
///
/// ```
/// use rules::product::{ProductError, parse_price};
///
/// assert_eq!(parse_price("12.345").map(|price| price.cents()), Ok(1235));
/// assert_eq!(parse_price("free").map(|price| price.cents()), Ok(0));
/// assert_eq!(parse_price("-5"), Err(ProductError::PriceNegative));
/// ```
pub fn parse_price(input: &str) -> Result<Price, ProductError> {
    let Some(number) = Number::parse(input) else { return Ok(Price(0)) };
    if number.negative {
        return Err(ProductError::PriceNegative);
    }
    if number.integer > PRICE_MAX || number.integer == PRICE_MAX && number.has_fraction {
        return Err(ProductError::PriceTooHigh);
    }
    u32::try_from(number.rounded_hundredths()).map(Price).map_err(|_| ProductError::PriceTooHigh)
}

/// Reads a stock as typed. What is no number (an emptied field too) is 0; a fraction, then less than 0, then more than
/// the database holds have their texts.
pub fn parse_stock(input: &str) -> Result<u32, ProductError> {
    let Some(number) = Number::parse(input) else { return Ok(0) };
    if number.has_fraction {
        return Err(ProductError::StockNotWhole);
    }
    if number.negative {
        return Err(ProductError::StockNegative);
    }
    u32::try_from(number.integer).ok().filter(|stock| *stock <= STOCK_MAX).ok_or(ProductError::StockTooHigh)
}

/// The form as typed: both numbers are text, so that it is decided here and not by the browser what is one.
#[derive(Debug, Clone, Default, Deserialize, Validate)]
#[validate(crate = "crate::validation")]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct ProductForm {
    /// 1 to 200 characters once markup is gone.
    #[validate(custom(function = release::is_title))]
    pub title: String,
    /// Up to 1000 characters once markup is gone.
    #[serde(default)]
    #[validate(custom(function = release::is_description))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub description: Option<String>,
    /// 0 to 999999; an emptied field is 0, a missing one is refused.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub price: Option<String>,
    /// An address.
    #[serde(default)]
    #[validate(custom(function = url::image))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub image_url: Option<String>,
    /// 0 to 2147483647; an emptied field is 0, a missing one is refused.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub stock_quantity: Option<String>,
    /// Up to 50 characters, for example `Vinyl`.
    #[serde(default)]
    #[validate(custom(function = is_category))]
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null"))]
    pub category: Option<String>,
    /// Marked in the dashboard.
    #[serde(default)]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub featured: bool,
    /// Whether the product is on sale; it is, unless said otherwise.
    #[serde(default = "yes")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub active: bool,
}

/// The same as a call to the server carries it: both numbers are JSON numbers.
///
/// A [`Product`] written as JSON is one of these, so what the browser has checked is what it sends.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductRequest {
    /// As all fields that follow, see [`ProductForm`].
    pub title: String,
    /// May be null.
    #[serde(default)]
    pub description: Option<String>,
    /// Required.
    #[serde(default)]
    pub price: Option<f64>,
    /// May be null.
    #[serde(default)]
    pub image_url: Option<String>,
    /// Required.
    #[serde(default)]
    pub stock_quantity: Option<f64>,
    /// May be null.
    #[serde(default)]
    pub category: Option<String>,
    /// False, unless said otherwise.
    #[serde(default)]
    pub featured: bool,
    /// True, unless said otherwise.
    #[serde(default = "yes")]
    pub active: bool,
}

impl From<ProductRequest> for ProductForm {
    /// A float becomes its shortest decimal text, which is what its author wrote.
    fn from(request: ProductRequest) -> Self {
        Self {
            title: request.title,
            description: request.description,
            price: request.price.map(|number| number.to_string()),
            image_url: request.image_url,
            stock_quantity: request.stock_quantity.map(|number| number.to_string()),
            category: request.category,
            featured: request.featured,
            active: request.active,
        }
    }
}

/// A product as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Product {
    /// 1 to 200 characters.
    pub title: String,
    /// `None` when blank, as all optional fields.
    pub description: Option<String>,
    /// A number with two decimals.
    pub price: Price,
    /// An address.
    pub image_url: Option<String>,
    /// Whole pieces.
    pub stock_quantity: u32,
    /// Free text.
    pub category: Option<String>,
    /// Marked in the dashboard.
    pub featured: bool,
    /// On sale.
    pub active: bool,
}

/// Strips markup, drops foreign schemes and reads the numbers, then checks every field.
pub fn check_product(form: ProductForm) -> Checked<Product> {
    let form = ProductForm {
        title: text::cleaned(&form.title),
        description: text::cleaned_option(form.description),
        image_url: tidied(form.image_url),
        category: text::cleaned_option(form.category),
        ..form
    };
    let price = form.price.as_deref().map_or(Err(ProductError::PriceRequired), parse_price);
    let stock = form.stock_quantity.as_deref().map_or(Err(ProductError::StockRequired), parse_stock);
    let Checked { value, mut problems } = validated(form);
    match (value, price, stock) {
        (Some(form), Ok(price), Ok(stock_quantity)) => Checked::valid(Product {
            title: form.title,
            description: form.description,
            price,
            image_url: form.image_url,
            stock_quantity,
            category: form.category,
            featured: form.featured,
            active: form.active,
        }),
        (_, price, stock) => {
            problems.extend(price.err().map(|error| Problem::new("price", error)));
            problems.extend(stock.err().map(|error| Problem::new("stock_quantity", error)));
            Checked::refused(problems)
        }
    }
}

fn is_category(category: &str) -> Result<(), Refusal> {
    let broken = if text::is_longer(category, CATEGORY_MAX) {
        ProductError::CategoryTooLong
    } else if text::has_angle_bracket(category) || text::has_control(category) {
        ProductError::CategoryCharacters
    } else {
        return Ok(());
    };
    Err(Refusal::from(broken))
}

const fn yes() -> bool {
    true
}
